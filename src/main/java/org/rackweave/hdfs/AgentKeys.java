package org.rackweave.hdfs;

/**
 * Configuration keys the DataNode's agent reads. {@code rackweave-default.xml} describes each one;
 * {@link AgentConfig} holds the defaults and the allowed ranges.
 */
public final class AgentKeys {
  public static final String SAMPLER = "rackweave.agent.sampler";
  public static final String INTERFACE = "rackweave.agent.interface";
  public static final String LINK_BYTES_PER_SEC = "rackweave.agent.link.bytes-per-sec";
  public static final String WORK_THREADS = "rackweave.agent.work.threads";

  public static final String DECODE_ADDRESS = "rackweave.agent.decode.address";
  public static final String DECODE_THREADS = "rackweave.agent.decode.threads";

  public static final String DECODE_BYTES_PER_SEC = "rackweave.agent.decode.bytes-per-sec";

  private AgentKeys() {}
}
