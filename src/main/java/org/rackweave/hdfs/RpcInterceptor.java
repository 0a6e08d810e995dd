package org.rackweave.hdfs;

import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.ServiceDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/** Stands in front of HDFS's handler of a protocol, which answers every call that it is handed. */
public abstract class RpcInterceptor implements BlockingService {
  private final BlockingService next;

  /**
   * @param next HDFS's own handler, or another interceptor
   */
  protected RpcInterceptor(BlockingService next) {
    this.next = next;
  }

  /** Hands a call on. */
  protected final Message answer(MethodDescriptor method, RpcController rpc, Message request)
      throws ServiceException {
    return next.callBlockingMethod(method, rpc, request);
  }

  @Override
  public final ServiceDescriptor getDescriptorForType() {
    return next.getDescriptorForType();
  }

  @Override
  public Message getRequestPrototype(MethodDescriptor method) {
    return next.getRequestPrototype(method);
  }

  @Override
  public final Message getResponsePrototype(MethodDescriptor method) {
    return next.getResponsePrototype(method);
  }
}
