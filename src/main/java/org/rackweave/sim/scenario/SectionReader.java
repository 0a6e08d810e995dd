package org.rackweave.sim.scenario;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyName;
import com.fasterxml.jackson.databind.deser.BeanDeserializerModifier;
import com.fasterxml.jackson.databind.deser.std.DelegatingDeserializer;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.exc.InvalidTypeIdException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedParameter;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.rackweave.sim.workload.InputException;

/** Makes records of a scenario's sections: Jackson, with {@link Setting}s for their components. */
final class SectionReader {

  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .annotationIntrospector(new Settings())
          .addModule(new SimpleModule().setDeserializerModifier(new KnownFields()))
          .enable(DeserializationFeature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
          .disable(MapperFeature.USE_GETTERS_AS_SETTERS)
          .build();

  /** All sections. */
  record Sections(
      String about,
      ClusterSpec cluster,
      TelemetrySpec telemetry,
      PowerSpec power,
      EncodingSpec encoding,
      RecoverySpec recovery,
      List<WorkloadSpec> workloads,
      List<PolicySpec> policies,
      List<FailureSpec> failures,
      RunSpec run,
      Map<String, List<String>> vary,
      String expect) {
    Sections {
      about = Objects.requireNonNullElse(about, "");
      workloads = Objects.requireNonNullElse(workloads, List.of());
      policies = Objects.requireNonNullElse(policies, List.of());
      failures = Objects.requireNonNullElse(failures, List.of());
      vary = Objects.requireNonNullElse(vary, Map.of());
      expect = Objects.requireNonNullElse(expect, "");
    }
  }

  private SectionReader() {}

  /**
   * Reads all sections.
   *
   * @throws InputException naming the line, the key, the value and what is allowed
   */
  static Sections read(ScenarioTree tree) throws InputException {
    try {
      return MAPPER.treeToValue(tree.root(), Sections.class);
    } catch (JsonMappingException e) {
      String path =
          e.getPath().stream()
              .map(step -> step.getFieldName() == null ? "" + step.getIndex() : step.getFieldName())
              .map(step -> "/" + step)
              .collect(Collectors.joining());
      throw tree.bad(path, reason(e, tree, path));
    } catch (IOException e) {
      throw new IllegalStateException("a tree in memory", e);
    }
  }

  private static String reason(JsonMappingException e, ScenarioTree tree, String path) {
    if (e instanceof UnrecognizedPropertyException unknown) {
      String above = tree.title(path.substring(0, path.lastIndexOf('/')));
      return "unknown "
          + (above.isEmpty() ? "section " : "key ")
          + notOneOf(
              unknown.getPropertyName(),
              above.isEmpty() ? "" : " in " + above,
              Arrays.stream(unknown.getReferringClass().getRecordComponents())
                  .map(Setting::nameOf)
                  .toList());
    }
    if (e instanceof InvalidTypeIdException kind) {
      Collection<String> kinds = Setting.kinds(kind.getBaseType().getRawClass()).keySet();
      return kind.getTypeId() == null
          ? tree.title(path) + " needs kind; allowed: " + String.join(", ", kinds)
          : "unknown kind " + notOneOf(kind.getTypeId(), "", kinds);
    }
    if (e instanceof ValueInstantiationException) {
      return tree.title(path) + ": " + e.getCause().getMessage();
    }
    if (e instanceof MismatchedInputException shape) {
      boolean isText = shape.getTargetType() == String.class;
      return tree.title(path) + (isText ? " takes a text" : " takes fields of its own");
    }
    String section = e.getOriginalMessage().startsWith("needs ") ? tree.title(path) + " " : "";
    return section + e.getOriginalMessage();
  }

  private static String notOneOf(String word, String where, Collection<String> allowed) {
    return InputException.quote(word)
        + where
        + NearestName.suggestion(word, allowed)
        + "; allowed: "
        + String.join(", ", allowed);
  }

  /** Tells Jackson how the components of records are called and read. */
  private static final class Settings extends JacksonAnnotationIntrospector {
    private static final long serialVersionUID = 1L;

    private static Optional<RecordComponent> component(Annotated annotated) {
      if (annotated instanceof AnnotatedParameter parameter
          && parameter.getDeclaringClass().isRecord()) {
        return Optional.of(
            parameter.getDeclaringClass().getRecordComponents()[parameter.getIndex()]);
      }
      return Optional.empty();
    }

    @Override
    public PropertyName findNameForDeserialization(Annotated annotated) {
      return component(annotated)
          .map(one -> PropertyName.construct(Setting.nameOf(one)))
          .orElseGet(() -> super.findNameForDeserialization(annotated));
    }

    @Override
    public Object findDeserializer(Annotated annotated) {
      return component(annotated)
          .filter(Setting::isOne)
          .<Object>map(one -> new SettingDeserializer(Setting.of(one)))
          .orElseGet(() -> super.findDeserializer(annotated));
    }
  }

  /** Reads a setting, or gives what it is when it is left out. */
  private static final class SettingDeserializer extends StdDeserializer<Object> {
    private static final long serialVersionUID = 1L;

    private final transient Setting setting;

    SettingDeserializer(Setting setting) {
      super(Object.class);
      this.setting = setting;
    }

    @Override
    public Object deserialize(JsonParser in, DeserializationContext context) throws IOException {
      if (!in.currentToken().isScalarValue()) {
        throw JsonMappingException.from(
            in, setting.name() + " takes one value; allowed: " + setting.kind().allowed());
      }
      try {
        return setting.parse(in.getText());
      } catch (BadValueException e) {
        throw JsonMappingException.from(in, e.getMessage());
      }
    }

    @Override
    public Object getNullValue(DeserializationContext context) throws JsonMappingException {
      if (setting.standard() == null) {
        throw JsonMappingException.from(
            context, "needs " + setting.name() + "; allowed: " + setting.kind().allowed());
      }
      return setting.parse(setting.standard());
    }
  }

  /** Lets records look for unknown keys first: a misspelt one explains why another is missing. */
  private static final class KnownFields extends BeanDeserializerModifier {
    private static final long serialVersionUID = 1L;

    @Override
    public JsonDeserializer<?> modifyDeserializer(
        DeserializationConfig config, BeanDescription bean, JsonDeserializer<?> deserializer) {
      return bean.getBeanClass().isRecord() ? new Known(deserializer) : deserializer;
    }
  }

  private static final class Known extends DelegatingDeserializer {
    private static final long serialVersionUID = 1L;

    Known(JsonDeserializer<?> deserializer) {
      super(deserializer);
    }

    @Override
    protected JsonDeserializer<?> newDelegatingInstance(JsonDeserializer<?> deserializer) {
      return new Known(deserializer);
    }

    @Override
    public Object deserialize(JsonParser in, DeserializationContext context) throws IOException {
      JsonNode fields = in.readValueAsTree();
      for (Iterator<String> names = fields.fieldNames(); names.hasNext(); ) {
        String name = names.next();
        if (!getKnownPropertyNames().contains(name)) {
          context.handleUnknownProperty(in, this, handledType(), name);
        }
      }
      try (JsonParser again = fields.traverse(in.getCodec())) {
        again.nextToken();
        return super.deserialize(again, context);
      }
    }
  }
}
