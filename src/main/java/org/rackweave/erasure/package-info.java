/**
 * Reed-Solomon codes over bytes, as HDFS has them: the field, the matrices, and the arithmetic on
 * whole units.
 *
 * <p>{@link org.rackweave.erasure.ReedSolomonCode} says which matrix makes parity and which brings
 * lost units back; {@link org.rackweave.erasure.StripeArithmetic} multiplies units with a matrix;
 * {@link org.rackweave.erasure.MatrixCoder} puts both together. {@link
 * org.rackweave.erasure.JavaArithmetic} is the arithmetic that needs nothing but a JVM, others live
 * where they may load libraries.
 */
package org.rackweave.erasure;
