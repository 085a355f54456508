package dev.psm.app;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(name = "film", mixinStandardHelpOptions = true)
final class EnvFilmCommand implements Callable<Integer> {
  @Override
  public Integer call() {
    throw new UnsupportedOperationException("to come");
  }
}
