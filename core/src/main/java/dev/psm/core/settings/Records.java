package dev.psm.core.settings;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;

/** The reflection on records, kept apart so that its checked exceptions stay here. */
final class Records {
  private Records() {}

  static Object get(RecordComponent component, Record owner) {
    try {
      Method accessor = component.getAccessor();
      accessor.setAccessible(true);
      Object value = accessor.invoke(owner);
      if (value == null) {
        throw new IllegalArgumentException(component + " is null: settings always have a value");
      }
      return value;
    } catch (InvocationTargetException e) {
      throw unchecked(e);
    } catch (IllegalAccessException e) {
      throw new LinkageError("cannot read " + component, e);
    }
  }

  static <R extends Record> R create(Class<R> type, Object[] values)
      throws InvocationTargetException {
    Class<?>[] types =
        Arrays.stream(type.getRecordComponents())
            .map(RecordComponent::getType)
            .toArray(Class<?>[]::new);
    try {
      Constructor<R> canonical = type.getDeclaredConstructor(types);
      canonical.setAccessible(true);
      return canonical.newInstance(values);
    } catch (NoSuchMethodException | InstantiationException | IllegalAccessException e) {
      throw new LinkageError("cannot construct " + type, e);
    }
  }

  static RuntimeException unchecked(InvocationTargetException e) {
    if (e.getCause() instanceof RuntimeException cause) {
      return cause;
    }
    if (e.getCause() instanceof Error cause) {
      throw cause;
    }
    return new IllegalStateException(e.getCause());
  }

  static Class<? extends Record> nestedType(RecordComponent component) {
    return component.getType().asSubclass(Record.class);
  }

  @SuppressWarnings("unchecked") // getClass() of an R is a Class<R>: records are final
  static <R extends Record> Class<R> typeOf(R value) {
    return (Class<R>) value.getClass();
  }
}
