package dev.psm.studio.service;

import dev.psm.lab.Machine;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.function.DoubleSupplier;

/** What a Prometheus server is told. Labels are routes and models, never what callers write. */
final class ServiceMetrics {
  static final String CONTENT_TYPE = PrometheusTextFormatWriter.CONTENT_TYPE;

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final PrometheusTextFormatWriter writer = PrometheusTextFormatWriter.create();

  private final Counter requests =
      Counter.builder()
          .name("psm_requests_total")
          .help("Requests answered.")
          .labelNames("route", "status")
          .register(registry);

  private final Histogram seconds =
      Histogram.builder()
          .name("psm_request_seconds")
          .help("From a request's arrival to its answer.")
          .labelNames("route")
          .classicOnly()
          .classicUpperBounds(
              0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10)
          .register(registry);

  private final Counter actions =
      Counter.builder()
          .name("psm_actions_total")
          .help("Observations that were acted on, WebSockets included.")
          .labelNames("model")
          .register(registry);

  private final Counter prompts =
      Counter.builder()
          .name("psm_prompts_total")
          .help("Prompts, by whether their policy had to be solved or was there.")
          .labelNames("model", "found")
          .register(registry);

  ServiceMetrics(
      Admission admission, PolicyCache policies, ControlSockets sockets, ServedModels models) {
    gauge("psm_policies", "Policies that are kept.", policies::size);
    gauge("psm_sockets", "Open WebSockets.", sockets::count);
    gauge("psm_ready", "1 once every model has acted.", () -> models.areReady() ? 1 : 0);
    for (Admission.Kind kind : Admission.Kind.values()) {
      gauge(
          "psm_%s_in_flight".formatted(kind.name().toLowerCase(Locale.ROOT)),
          "Of this kind now, those that wait included.",
          () -> admission.inside(kind));
    }
    CounterWithCallback.builder()
        .name("psm_policies_dropped_total")
        .help("Policies that were dropped to make room.")
        .callback(callback -> callback.call((double) policies.droppedCount()))
        .register(registry);
    gauge("process_resident_memory_bytes", "Memory of the process.", Machine::heldBytes);
  }

  private void gauge(String name, String help, DoubleSupplier value) {
    GaugeWithCallback.builder()
        .name(name)
        .help(help)
        .callback(callback -> callback.call(value.getAsDouble()))
        .register(registry);
  }

  void answered(String route, int status, double milliseconds) {
    requests.labelValues(route, Integer.toString(status)).inc();
    seconds.labelValues(route).observe(milliseconds / 1e3);
  }

  void acted(ServedModel model, int observations) {
    actions.labelValues(model.id()).inc(observations);
  }

  void solved(ServedModel model, boolean isNew) {
    prompts.labelValues(model.id(), isNew ? "solved" : "cached").inc();
  }

  byte[] text() {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try {
      writer.write(text, registry.scrape(), EscapingScheme.DEFAULT);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toByteArray();
  }
}
