package org.rackweave.hdfs.ear;

import com.google.common.base.Throwables;

/** HDFS's own part of a guarded call. Once it is over, so is the call, and as it ended. */
final class HdfsCall<T, E extends Exception> implements EncodedFileGuard.Call<T, E> {
  private final EncodedFileGuard.Call<T, E> hdfs;
  private boolean isOver;
  private T response;
  private Throwable thrown;

  HdfsCall(EncodedFileGuard.Call<T, E> hdfs) {
    this.hdfs = hdfs;
  }

  @Override
  public T answer() throws E {
    isOver = true;
    try {
      response = hdfs.answer();
      return response;
    } catch (Throwable e) {
      thrown = e;
      throw e;
    }
  }

  /** Whether HDFS was asked, and has answered or refused. */
  boolean isOver() {
    return isOver;
  }

  boolean hasThrown(Throwable e) {
    return e == thrown;
  }

  /** Ends as it did, once it is over. */
  @SuppressWarnings("unchecked") // answer() throws E or what is unchecked
  T end() throws E {
    if (thrown != null) {
      Throwables.throwIfUnchecked(thrown);
      throw (E) thrown;
    }
    return response;
  }
}
