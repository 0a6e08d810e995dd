package org.rackweave;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.conditions.ArchConditions.be;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitCallTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.Timer;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The dependency arrows of the house. A room is a package under {@code org.rackweave}; the bridge
 * is what of ours lives in a package of Hadoop's. A decision has to run unchanged in the NameNode,
 * in the simulator and in a test, so pure rooms see the JDK and each other, and neither clock, nor
 * thread, nor hidden randomness.
 */
class ArchitectureTest {

  private static final Path BUILT = Path.of("target", "classes");
  private static final JavaClasses OURS = new ClassFileImporter().importPath(BUILT);

  /** Pure rooms, and the rooms each may depend on. Papers never see one another. */
  private static final Map<String, List<String>> PURE =
      Map.ofEntries(
          Map.entry("model", List.of()),
          Map.entry("chart", List.of()),
          Map.entry("graph", List.of()),
          Map.entry("rules", List.of()),
          Map.entry("erasure", List.of()),
          Map.entry("telemetry", List.of("model")),
          Map.entry("placement", List.of("model", "telemetry")),
          Map.entry("ear", List.of("placement", "telemetry", "model", "graph", "rules")),
          Map.entry("sinbad", List.of("placement", "telemetry", "model")),
          Map.entry("eafr", List.of("placement", "telemetry", "model", "rules")),
          Map.entry("health", List.of()),
          Map.entry("durability", List.of("model")),
          Map.entry("history", List.of("placement", "telemetry", "model")),
          Map.entry("trial", List.of("history")),
          Map.entry("dayu", List.of("model", "telemetry")));

  private static final Set<String> HARMLESS_SYSTEM_CALLS =
      Set.of("arraycopy", "identityHashCode", "lineSeparator");

  private static final DescribedPredicate<JavaClass> BRIDGE =
      describe(
          "the bridge",
          type ->
              type.getPackageName().startsWith("org.apache.hadoop") && OURS.contain(name(type)));

  private static final DescribedPredicate<JavaAccess<?>> CLOCK_OR_PROCESS =
      describe("the clock or the process", ArchitectureTest::readsTheClockOrTheProcess);

  private static final DescribedPredicate<JavaAccess<?>> HIDDEN_RANDOMNESS =
      describe("randomness nobody passed in", ArchitectureTest::drawsHiddenRandomness);

  static Stream<String> pureRooms() {
    return PURE.keySet().stream().sorted();
  }

  @ParameterizedTest
  @MethodSource("pureRooms")
  void pureRoomSeesTheJdkAndTheRoomsBelowIt(String room) {
    Stream<String> below = PURE.get(room).stream().map(ArchitectureTest::room);
    String[] allowed = Stream.concat(Stream.of("java..", room(room)), below).toArray(String[]::new);
    check(
        classes()
            .that()
            .resideInAPackage(room(room))
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage(allowed)));
  }

  @ParameterizedTest
  @MethodSource("pureRooms")
  void pureRoomHasNoThreadAndNoLogger(String room) {
    DescribedPredicate<JavaClass> threads =
        assignableTo(Thread.class)
            .or(assignableTo(Executor.class))
            .or(assignableTo(Executors.class))
            .or(assignableTo(Timer.class));
    check(
        noClasses()
            .that()
            .resideInAPackage(room(room))
            .should()
            .dependOnClassesThat(threads.or(resideInAnyPackage("java.util.logging.."))));
  }

  @ParameterizedTest
  @MethodSource("pureRooms")
  void pureRoomReadsNoClockAndDrawsNoHiddenRandomness(String room) {
    check(
        noClasses()
            .that()
            .resideInAPackage(room(room))
            .should()
            .accessTargetWhere(CLOCK_OR_PROCESS)
            .orShould()
            .accessTargetWhere(HIDDEN_RANDOMNESS));
  }

  @Test
  void simulatorSeesTheJdkThePureRoomsAndItsLibraries() {
    Stream<String> pure = pureRooms().map(ArchitectureTest::room);
    Stream<String> known =
        Stream.of("java..", room("sim"), "com.fasterxml.jackson..", "org.yaml.snakeyaml..");
    String[] allowed = Stream.concat(known, pure).toArray(String[]::new);
    check(
        classes()
            .that()
            .resideInAPackage(room("sim"))
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage(allowed)));
  }

  @Test
  void hdfsRoomAndBridgeKnowNothingOfWhatStandsOnThem() {
    check(
        noClasses()
            .that(resideInAnyPackage(room("hdfs")).or(BRIDGE))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(room("sim"), room("cli"), room("chart")));
  }

  @Test
  void onlyTheCommandLineReadsOptions() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage(room("cli"))
            .should()
            .dependOnClassesThat()
            .resideInAPackage("picocli.."));
  }

  @Test
  void onlyConfigurationNamesTheBridge() {
    // The benches time the policy itself and the demo slows DataNodes down; everyone else gets the
    // policy from HDFS, by its class name.
    check(
        noClasses()
            .that()
            .resideInAPackage("org.rackweave..")
            .and()
            .resideOutsideOfPackages(
                "org.rackweave.cli.bench..", "org.rackweave.cli.demo.cluster..")
            .should()
            .dependOnClassesThat(BRIDGE));
  }

  @Test
  void everyClassLivesInARoomOrInTheBridge() {
    Stream<String> above = Stream.of("sim", "hdfs", "cli");
    String[] rooms =
        Stream.concat(pureRooms(), above).map(ArchitectureTest::room).toArray(String[]::new);
    check(classes().should().resideInAnyPackage(rooms).orShould(be(BRIDGE)));
  }

  @Test
  void classNamesSayWhatAThingIs() {
    check(noClasses().should().haveSimpleNameEndingWith("Manager"));
    check(noClasses().should().haveSimpleNameEndingWith("Helper"));
    check(noClasses().should().haveSimpleNameEndingWith("Util"));
    check(noClasses().should().haveSimpleNameEndingWith("Utils"));
    check(noClasses().should().haveSimpleNameEndingWith("Impl"));
    check(noClasses().should().haveSimpleNameEndingWith("Data"));
    check(noClasses().should().haveSimpleNameEndingWith("Info"));
  }

  private static void check(ArchRule rule) {
    rule.allowEmptyShould(true).check(OURS);
  }

  private static String room(String name) {
    return "org.rackweave." + name + "..";
  }

  private static String name(JavaClass type) {
    return type.getBaseComponentType().getName();
  }

  private static boolean readsTheClockOrTheProcess(JavaAccess<?> access) {
    JavaClass owner = access.getTargetOwner();
    String member = access.getName();
    if (owner.isEquivalentTo(System.class)) {
      return !HARMLESS_SYSTEM_CALLS.contains(member);
    }
    if (owner.isEquivalentTo(Clock.class)) {
      return member.startsWith("system") || member.startsWith("tick");
    }
    return owner.getPackageName().equals("java.time") && member.equals("now");
  }

  private static boolean drawsHiddenRandomness(JavaAccess<?> access) {
    JavaClass owner = access.getTargetOwner();
    if (owner.isEquivalentTo(ThreadLocalRandom.class)) {
      return true;
    }
    if (owner.isEquivalentTo(Math.class) || owner.isEquivalentTo(StrictMath.class)) {
      return access.getName().equals("random");
    }
    if (owner.isEquivalentTo(Collections.class)) {
      return access.getName().equals("shuffle") && parametersOf(access) == 1;
    }
    boolean seedable =
        owner.isEquivalentTo(Random.class) || owner.isEquivalentTo(SplittableRandom.class);
    return seedable && access.getName().equals("<init>") && parametersOf(access) == 0;
  }

  private static int parametersOf(JavaAccess<?> access) {
    return access.getTarget() instanceof CodeUnitCallTarget call
        ? call.getRawParameterTypes().size()
        : 0;
  }
}
