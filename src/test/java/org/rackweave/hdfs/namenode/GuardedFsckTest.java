package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.inOrder;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.OptionalInt;
import javax.servlet.ServletConfig;
import javax.servlet.ServletContext;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.InOrder;
import org.rackweave.hdfs.ear.EncodingService;

class GuardedFsckTest {
  private final EncodingService encoding = mock(EncodingService.class);
  private final Closeable halted = mock(Closeable.class);
  private final ServletContext context = mock(ServletContext.class);
  private final HttpServletRequest request = mock(HttpServletRequest.class);
  private final HttpServletResponse response = mock(HttpServletResponse.class);
  private final StringWriter said = new StringWriter();
  private final GuardedFsck fsck = new GuardedFsck();

  @BeforeEach
  void start() throws Exception {
    ServletConfig config = mock(ServletConfig.class);
    when(config.getServletContext()).thenReturn(context);
    when(context.getAttribute(GuardedFsck.ENCODING)).thenReturn(encoding);
    when(encoding.haltShrinking()).thenReturn(halted);
    when(request.getParameter("delete")).thenReturn("1");
    when(response.getWriter()).thenReturn(new PrintWriter(said));
    fsck.init(config);
  }

  @Test
  void noFileGivesUpReplicasFromBeforeStripesAreCountedUntilFsckIsOver() throws Exception {
    when(encoding.stripesKnown()).thenReturn(OptionalInt.of(0));
    // HDFS's servlet, whose NameNode is not there
    when(context.getAttribute("name.node.address")).thenThrow(new IllegalStateException("begun"));
    assertThrows(RuntimeException.class, () -> fsck.doGet(request, response));
    InOrder order = inOrder(encoding, halted);
    order.verify(encoding).haltShrinking();
    order.verify(encoding).stripesKnown();
    order.verify(halted).close();
    assertTrue(said.toString().isEmpty(), said::toString);
  }

  @Test
  void whatCannotBeReadIsNamed() throws IOException {
    when(encoding.stripesKnown()).thenReturn(OptionalInt.empty());
    when(encoding.unreadableStripes()).thenReturn("/.rackweave/parity/rs-3-2/0/7 is damaged");
    fsck.doGet(request, response);
    assertTrue(said.toString().contains("as /.rackweave/parity/rs-3-2/0/7"), said::toString);
    inOrder(halted).verify(halted).close();
  }

  @Test
  void whatIsNotKnownIsNotDeleted() throws IOException {
    when(encoding.stripesKnown()).thenThrow(new IllegalStateException("injected"));
    fsck.doGet(request, response);
    assertTrue(said.toString().contains("encoded files are not known yet"), said::toString);
    inOrder(halted).verify(halted).close();
  }
}
