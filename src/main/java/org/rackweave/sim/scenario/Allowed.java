package org.rackweave.sim.scenario;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What a setting may be: {@code LOW to HIGH} of a quantity, or for people where it is a text. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
@interface Allowed {

  /** With {@code , or WORD} at the end where a word may stand for a value. */
  String value();

  /** The number that the word stands for; of what is optional it stands for none. */
  double or() default Double.NaN;
}
