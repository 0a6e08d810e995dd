package org.rackweave.hdfs.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CompleteRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CompleteResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.ExtendedBlockProto;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.junit.jupiter.api.Test;
import org.rackweave.trial.Arm;
import org.rackweave.trial.ArmSamples;
import org.rackweave.trial.WriteTrials;

class ClientInterceptorTest {
  private static final MethodDescriptor COMPLETE =
      ClientNamenodeProtocol.getDescriptor().findMethodByName("complete");
  private static final long MB = 1_000_000;

  private final BlockingService hdfs = mock(BlockingService.class);
  private final WriteTrials trials = new WriteTrials();
  private final ArmSamples samples = new ArmSamples();
  private final ClientInterceptor interceptor =
      new ClientInterceptor(
          hdfs,
          mock(StripeRegistry.class),
          mock(EncodedFileGuard.class),
          mock(DegradedReads.class),
          mock(OutsideWork.class),
          trials);

  private void complete() throws ServiceException {
    ExtendedBlockProto block =
        ExtendedBlockProto.newBuilder()
            .setPoolId("pool")
            .setBlockId(1)
            .setGenerationStamp(1001)
            .setNumBytes(MB)
            .build();
    CompleteRequestProto request =
        CompleteRequestProto.newBuilder()
            .setSrc("/a")
            .setClientName("writer")
            .setLast(block)
            .setFileId(7)
            .build();
    interceptor.callBlockingMethod(COMPLETE, null, request);
  }

  private int timed() {
    return samples.blocks(Arm.STOCK, Long.MIN_VALUE).fileOf().length;
  }

  @Test
  void aBlockIsTimedOnceHdfsHasLetItsClientSayThatItIsWhole() throws ServiceException {
    long now = System.nanoTime();
    trials.begin(1, 1001, new WriteTrials.Write(samples, Arm.STOCK, 7, MB, null), now);
    when(hdfs.callBlockingMethod(any(), any(), any()))
        .thenThrow(new ServiceException(new AccessControlException("not yours")))
        .thenReturn(CompleteResponseProto.newBuilder().setResult(true).build());
    assertThrows(ServiceException.class, this::complete);
    assertEquals(0, timed());
    complete();
    assertEquals(1, timed());
  }
}
