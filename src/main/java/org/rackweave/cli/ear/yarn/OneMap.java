package org.rackweave.cli.ear.yarn;

import java.io.DataInput;
import java.io.DataOutput;
import java.util.List;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/** The input of a job that has one map, which knows itself what to read. */
public final class OneMap extends InputFormat<NullWritable, NullWritable> {

  /** Nothing, and from nowhere in particular. */
  public static final class Split extends InputSplit implements Writable {
    @Override
    public long getLength() {
      return 0;
    }

    @Override
    public String[] getLocations() {
      return new String[0];
    }

    @Override
    public void write(DataOutput out) {}

    @Override
    public void readFields(DataInput in) {}
  }

  private static final class NoRecords extends RecordReader<NullWritable, NullWritable> {
    @Override
    public void initialize(InputSplit split, TaskAttemptContext context) {}

    @Override
    public boolean nextKeyValue() {
      return false;
    }

    @Override
    public NullWritable getCurrentKey() {
      return NullWritable.get();
    }

    @Override
    public NullWritable getCurrentValue() {
      return NullWritable.get();
    }

    @Override
    public float getProgress() {
      return 0;
    }

    @Override
    public void close() {}
  }

  @Override
  public List<InputSplit> getSplits(JobContext context) {
    return List.of(new Split());
  }

  @Override
  public RecordReader<NullWritable, NullWritable> createRecordReader(
      InputSplit split, TaskAttemptContext context) {
    return new NoRecords();
  }
}
