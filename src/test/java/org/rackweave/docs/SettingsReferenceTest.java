package org.rackweave.docs;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The list of settings in the reference is that of {@code conf/rackweave-default.xml}. */
class SettingsReferenceTest {
  private static final Pattern RESTART = Pattern.compile("\\[restart: ([^]]*)]");

  @Test
  void referenceListsEverySetting() throws Exception {
    NodeList properties =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse("conf/rackweave-default.xml")
            .getElementsByTagName("property");
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < properties.getLength(); i++) {
      lines.addAll(entry((Element) properties.item(i)));
    }
    assertTrue(properties.getLength() > 60, "all were found");
    GeneratedPart.check(Path.of("docs/reference.md"), "settings", lines);
  }

  private static List<String> entry(Element property) {
    String value = text(property, "value");
    String[] parts = text(property, "description").split("\n");
    String title = "**`" + text(property, "name") + "`**";
    List<String> lines =
        new ArrayList<>(
            GeneratedPart.item(
                "",
                title
                    + (value.isEmpty() ? " (empty): " : " (`" + value + "`): ")
                    + readable(parts[0])));
    for (int i = 1; i < parts.length; i++) {
      lines.addAll(GeneratedPart.item("  ", readable(parts[i])));
    }
    return lines;
  }

  private static String text(Element property, String name) {
    return property.getElementsByTagName(name).item(0).getTextContent().trim();
  }

  private static String readable(String description) {
    return RESTART.matcher(description).replaceAll("*Restart*: $1.");
  }
}
