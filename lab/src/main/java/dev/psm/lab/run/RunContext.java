package dev.psm.lab.run;

import dev.psm.lab.Progress;
import dev.psm.torch.Device;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * What a run meets outside.
 *
 * @param device where it is computed
 * @param notes where remarks about the work go
 * @param stop whether somebody wants it to stop; asked after every step, of training and of an
 *     evaluation
 */
public record RunContext(
    Device device,
    Progress progress,
    Consumer<String> notes,
    BooleanSupplier stop,
    Evaluator.Factory evaluators) {}
