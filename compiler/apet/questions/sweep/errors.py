"""What can be wrong with a sweep."""

from __future__ import annotations

from apet.ground.diagnostics import Advisory, Diagnostic


class BadVariation(Diagnostic):
    """`--vary` that names no values."""

    message = "--vary {definition}: {reason}"
    hint = "lists and ranges: P=1:64, n=1e6,1e7, q=0:1:0.1 (step), n=1e3:1e9:10x (factor), P,n=4:1,8:2"


class VariedTwice(Diagnostic):
    """One name in two places of a call."""

    message = "{name} is given twice: {places}"
    hint = "a name is varied once or set once"


class BadPoints(Diagnostic):
    """A file of points that cannot be used."""

    message = "{reason}"
    hint = "a table: names in the first line, then one point a line"


class BadProcessorValue(Diagnostic):
    """Numbers of processors that are none."""

    message = "P = {value}: {reason}"
    hint = "whole numbers from 1: --vary P=1:64 or --vary P=2:64:2x"


class UnknownSweepName(Diagnostic):
    """A name that is neither the model's nor the machines'."""

    message = "--vary {name}: there is no such parameter or machine quantity{near}"
    hint = "parameters: {parameters}; machine quantities: {quantities}"


class NotInMachines(Diagnostic):
    """A machine quantity that a machine file does not give."""

    message = "--vary {name}: {file} {reason}"
    hint = "{advice_text}"


class BadQuantity(Diagnostic):
    """A value that a machine quantity may not have."""

    message = "{name} = {value}: {reason}"


class VariedNotInTime(Advisory):
    """A varied name that changes nothing."""

    message = "the time of {model} does not contain '{name}': varying it changes nothing"
    hint = "it contains: {contents}"


class SameMachines(Diagnostic):
    """One machine file twice."""

    message = "machine model {name} is given twice"


class TooManyPoints(Diagnostic):
    """A space that would take too long, or was not meant."""

    message = "{points} points are more than {limit}: about {time} and {size}"
    hint = "vary less, allow more (--most-points {plain}), or ask for it: --yes"


class TooManyToNumber(Diagnostic):
    """A space whose points cannot be numbered in 62 bits."""

    message = "{points} points are more than APET can number ({limit})"
    hint = "vary less"


class NoPrediction(Diagnostic):
    """A point that has no prediction."""

    message = "point {number} of {points} ({setting}): {reason}"
    hint = "{advice_text}"


class UnknownTable(Diagnostic):
    """An output of a kind that sweeps do not write."""

    message = "cannot write {path}: its ending is none of {endings}"
    hint = "the ending chooses the format: -o sweep.csv or -o sweep.parquet"


class LibraryMissing(Diagnostic):
    """A library of an extra that is not installed."""

    message = "{what} needs {library}, which is not installed"
    hint = "install it: pip install 'apet[{extra}]'"


class CannotStore(Diagnostic):
    """A file of the sweep that cannot be written."""

    message = "cannot write {path}: {reason}"
    hint = "{advice_text}"


class Unfinished(Diagnostic):
    """An earlier sweep to the same file, and no `--resume`."""

    message = "{folder} holds an unfinished sweep ({finished} of {chunks} parts)"
    hint = "go on with it: --resume; or delete it: rm -r {folder}"


class OtherSweep(Diagnostic):
    """`--resume` of something else."""

    message = "{folder} holds another sweep: {differences}"
    hint = "repeat the command that began it, or delete it: rm -r {folder}"


class NotOurs(Diagnostic):
    """A folder that is in the way."""

    message = "{folder} is in the way: it holds no sweep that APET began"
    hint = "rename it, or write to another file"


class InUse(Diagnostic):
    """Another process that writes the same file."""

    message = "another process is sweeping into {path}"
    hint = "wait for it, or write to another file"


class NothingToWrite(Diagnostic):
    """`--resume` without a file."""

    message = "--resume goes on with a file, and none is named"
    hint = "add the file of the sweep: -o F.csv"


class NoPrices(Diagnostic):
    """Costs on machines without a price."""

    message = "{file} gives no cost_per_hour for {groups}"
    hint = "add cost_per_hour to these machines, or compare with the number of processors: --cost P"


class NoScheduler(Diagnostic):
    """A Dask scheduler that does not answer."""

    message = "the Dask scheduler at {address} cannot be reached: {reason}"
    hint = "start one (dask scheduler) or check the address; without --dask, workers start here"


class NoWorkers(Diagnostic):
    """A Dask scheduler without workers."""

    message = "no Dask worker has come to {address} within {seconds} s"
    hint = "start some: dask worker {address}"


class OtherWorkers(Diagnostic):
    """Dask workers that would give other results."""

    message = "Dask worker {worker} has {theirs}, and this is {ours}"
    hint = "install the same versions on all workers"


class ClusterFailed(Diagnostic):
    """Chunks that the cluster did not compute."""

    message = "the Dask cluster gave up: {reason}"
    hint = "finished parts are kept: go on with --resume, on the cluster or with --engine local"


class OnlyForDask(Diagnostic):
    """An option of another engine."""

    message = "{option} is for --engine dask"
    hint = "add --engine dask, or leave it out"
