package org.rackweave.cli.testbed.compare.worker;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** What a worker is told. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "order")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Task.Write.class, name = "write"),
  @JsonSubTypes.Type(value = Task.Read.class, name = "read"),
  @JsonSubTypes.Type(value = Task.Copy.class, name = "copy"),
  @JsonSubTypes.Type(value = Task.Encode.class, name = "encode"),
  @JsonSubTypes.Type(value = Task.Load.class, name = "load"),
  @JsonSubTypes.Type(value = Order.Go.class, name = "go"),
  @JsonSubTypes.Type(value = Order.Stop.class, name = "stop"),
  @JsonSubTypes.Type(value = Order.TellReceived.class, name = "tell-received")
})
public sealed interface Order permits Task, Order.Go, Order.Stop, Order.TellReceived {
  /**
   * Begins a run, with the tasks that came before.
   *
   * @param run its number
   * @param startMs when, as a wall clock time
   */
  record Go(int run, long startMs) implements Order {}

  /** Ends the run. */
  record Stop() implements Order {}

  /** Asks for the bytes of background load received so far. */
  record TellReceived() implements Order {}
}
