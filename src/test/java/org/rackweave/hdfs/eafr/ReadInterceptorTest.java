package org.rackweave.hdfs.eafr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBlockLocationsRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBlockLocationsResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetReplicationRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetReplicationResponseProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;
import org.rackweave.hdfs.eafr.ReadInterceptor.FactorListener;

class ReadInterceptorTest {
  private static final int BLOCKS = 10;

  private final BlockingService hdfs = mock(BlockingService.class);
  private final ReadCounting counting = mock(ReadCounting.class);
  private final FactorListener listener = mock(FactorListener.class);
  private final ReadInterceptor interceptor = new ReadInterceptor(hdfs, counting, listener);

  @BeforeEach
  void count() {
    when(counting.isWanted()).thenReturn(true);
  }

  private static DatanodeInfo datanode(int number) {
    return new DatanodeInfoBuilder()
        .setNodeID(new DatanodeID("10.0.0." + number, "h", uuid(number), 1, 2, 3, 4))
        .build();
  }

  private static String uuid(int number) {
    return "uuid" + number;
  }

  private Message answer(String method, Message request, Message response) throws ServiceException {
    MethodDescriptor called = ClientNamenodeProtocol.getDescriptor().findMethodByName(method);
    when(hdfs.callBlockingMethod(called, null, request)).thenReturn(response);
    return interceptor.callBlockingMethod(called, null, request);
  }

  /** A client hears of ten blocks at once and reads one at a time. */
  @Test
  void anOpenOfManyBlocksIsOneReaderOfTheFirst() throws ServiceException {
    List<LocatedBlock> blocks = new ArrayList<>();
    for (int id = 0; id < BLOCKS; id++) {
      blocks.add(
          new LocatedBlock(
              new ExtendedBlock("pool", id, 1, 1),
              new DatanodeInfo[] {datanode(id), datanode(id + 1)},
              null,
              null));
    }
    LocatedBlocks located = new LocatedBlocks(BLOCKS, false, blocks, null, true, null, null);
    GetBlockLocationsResponseProto response =
        GetBlockLocationsResponseProto.newBuilder()
            .setLocations(PBHelperClient.convert(located))
            .build();
    GetBlockLocationsRequestProto request =
        GetBlockLocationsRequestProto.newBuilder()
            .setSrc("/file")
            .setOffset(0)
            .setLength(BLOCKS)
            .build();

    assertSame(response, answer("getBlockLocations", request, response));

    verify(listener).sentTo(uuid(0));
    verify(listener).sentTo(any());
    ArgumentCaptor<long[]> reads = ArgumentCaptor.forClass(long[].class);
    ArgumentCaptor<Integer> count = ArgumentCaptor.forClass(Integer.class);
    verify(counting).located(reads.capture(), count.capture());
    assertEquals(BLOCKS, count.getValue());
    for (int id = 0; id < BLOCKS; id++) {
      assertEquals(id, reads.getValue()[ReadLog.WIDTH * id]);
      assertEquals(
          ServerKey.of(datanode(id).getDatanodeUuidBytes()),
          reads.getValue()[ReadLog.WIDTH * id + 1]);
    }
  }

  @Test
  void aFactorIsHeardOfOnceHdfsHasSetIt() throws ServiceException {
    SetReplicationRequestProto request =
        SetReplicationRequestProto.newBuilder().setSrc("/file").setReplication(3).build();
    answer(
        "setReplication",
        request,
        SetReplicationResponseProto.newBuilder().setResult(true).build());
    verify(listener).factorSet("/file");
    verify(listener, never()).sentTo(any());
  }
}
