"""What can be wrong with a sweep."""

from __future__ import annotations

from typing import ClassVar

from apet.ground.diagnostics import Advisory, Diagnostic


class BadVariation(Diagnostic):
    """`--vary` that names no values."""

    message: ClassVar[str] = "--vary {definition}: {reason}"
    hint: ClassVar[str] = "lists and ranges: P=1:64, n=1e6,1e7, q=0:1:0.1 (step), n=1e3:1e9:10x (factor), P,n=4:1,8:2"
    definition: str
    reason: str


class VariedTwice(Diagnostic):
    """One name in two places of a call."""

    message: ClassVar[str] = "{name} is given twice: {places}"
    hint: ClassVar[str] = "a name is varied once or set once"
    name: str
    places: str


class BadPoints(Diagnostic):
    """A file of points that cannot be used."""

    message: ClassVar[str] = "{place}: {reason}"
    hint: ClassVar[str] = "a table of comma-separated values: names in the first line, then one point a line"
    place: str
    reason: str


class BadProcessorValue(Diagnostic):
    """Numbers of processors that are none."""

    message: ClassVar[str] = "P = {value}: {reason}"
    hint: ClassVar[str] = "whole numbers from 1: --vary P=1:64 or --vary P=2:64:2x"
    value: str
    reason: str


class UnknownSweepName(Diagnostic):
    """A name that is neither the model's nor the machines'."""

    message: ClassVar[str] = "--vary {name}: there is no such parameter or machine quantity{near}"
    hint: ClassVar[str] = "parameters: {parameters}; machine quantities: {quantities}"
    name: str
    near: str
    parameters: str
    quantities: str


class NotInMachines(Diagnostic):
    """A machine quantity that a machine file does not give."""

    message: ClassVar[str] = "--vary {name}: {file} {reason}"
    hint: ClassVar[str] = "{advice_text}"
    name: str
    file: str
    reason: str
    advice_text: str


class BadQuantity(Diagnostic):
    """A value that a machine quantity may not have."""

    message: ClassVar[str] = "{name} = {value}: {reason}"
    name: str
    value: str
    reason: str


class VariedNotInTime(Advisory):
    """A varied name that changes nothing."""

    message: ClassVar[str] = "the time of {model} does not contain '{name}': varying it changes nothing"
    hint: ClassVar[str] = "it contains: {contents}"
    model: str
    name: str
    contents: str


class SameMachines(Diagnostic):
    """One machine file twice."""

    message: ClassVar[str] = "machine model {name} is given twice"
    name: str


class TooManyPoints(Diagnostic):
    """A space that would take too long, or was not meant."""

    message: ClassVar[str] = "{points} points are more than {limit}: about {time} and {size}"
    hint: ClassVar[str] = "vary less, allow more (--limit {plain}), or ask for it: --yes"
    points: str
    limit: str
    time: str
    size: str
    plain: str


class TooManyToNumber(Diagnostic):
    """A space whose points cannot be numbered in 62 bits."""

    message: ClassVar[str] = "{points} points are more than APET can number ({limit})"
    hint: ClassVar[str] = "vary less"
    points: str
    limit: str


class NoPrediction(Diagnostic):
    """A point that has no prediction."""

    message: ClassVar[str] = "point {number} of {points} ({setting}): {reason}"
    hint: ClassVar[str] = "{advice_text}"
    number: str
    points: str
    setting: str
    reason: str
    advice_text: str


class UnknownTable(Diagnostic):
    """An output of a kind that sweeps do not write."""

    message: ClassVar[str] = "cannot write {path}: its ending is none of {endings}"
    hint: ClassVar[str] = "the ending chooses the format: -o sweep.csv or -o sweep.parquet"
    path: str
    endings: str


class LibraryMissing(Diagnostic):
    """A library of an extra that is not installed."""

    message: ClassVar[str] = "{what} needs {library}, which is not installed"
    hint: ClassVar[str] = "install it: pip install 'apet[{extra}]'"
    what: str
    library: str
    extra: str


class CannotStore(Diagnostic):
    """A file of the sweep that cannot be written."""

    message: ClassVar[str] = "cannot write {path}: {reason}"
    hint: ClassVar[str] = "{advice_text}"
    path: str
    reason: str
    advice_text: str


class Unfinished(Diagnostic):
    """An earlier sweep to the same file, and no `--resume`."""

    message: ClassVar[str] = "{folder} holds an unfinished sweep ({finished} of {chunks} parts)"
    hint: ClassVar[str] = "go on with it: --resume; or delete it: rm -r {folder}"
    folder: str
    finished: str
    chunks: str


class OtherSweep(Diagnostic):
    """`--resume` of something else."""

    message: ClassVar[str] = "{folder} holds another sweep: {differences}"
    hint: ClassVar[str] = "repeat the command that began it, or delete it: rm -r {folder}"
    folder: str
    differences: str


class NotOurs(Diagnostic):
    """A folder that is in the way."""

    message: ClassVar[str] = "{folder} is in the way: it holds no sweep that APET began"
    hint: ClassVar[str] = "rename it, or write to another file"
    folder: str


class InUse(Diagnostic):
    """Another process that writes the same file."""

    message: ClassVar[str] = "another process is sweeping into {path}"
    hint: ClassVar[str] = "wait for it, or write to another file"
    path: str


class NothingToWrite(Diagnostic):
    """`--resume` without a file."""

    message: ClassVar[str] = "--resume goes on with a file, and none is named"
    hint: ClassVar[str] = "add the file of the sweep: -o F.csv"


class NoPrices(Diagnostic):
    """Costs on machines without a price."""

    message: ClassVar[str] = "{file} gives no cost_per_hour for {groups}"
    hint: ClassVar[str] = "add cost_per_hour to these machines, or compare with the number of processors: --against P"
    file: str
    groups: str


class NoScheduler(Diagnostic):
    """A Dask scheduler that does not answer."""

    message: ClassVar[str] = "the Dask scheduler at {address} cannot be reached: {reason}"
    hint: ClassVar[str] = "start one (dask scheduler) or check the address; without --scheduler, workers start here"
    address: str
    reason: str


class NoWorkers(Diagnostic):
    """A Dask scheduler without workers."""

    message: ClassVar[str] = "no Dask worker has come to {address} within {seconds} s"
    hint: ClassVar[str] = "start some: dask worker {address}"
    address: str
    seconds: str


class OtherWorkers(Diagnostic):
    """Dask workers that would give other results."""

    message: ClassVar[str] = "Dask worker {worker} has {theirs}, and this is {ours}"
    hint: ClassVar[str] = "install the same versions on all workers"
    worker: str
    theirs: str
    ours: str


class ClusterFailed(Diagnostic):
    """Chunks that the cluster did not compute."""

    message: ClassVar[str] = "the Dask cluster gave up: {reason}"
    hint: ClassVar[str] = "finished parts are kept: go on with --resume, on the cluster or with --engine local"
    reason: str


class OnlyForDask(Diagnostic):
    """An option of another engine."""

    message: ClassVar[str] = "{option} is for --engine dask"
    hint: ClassVar[str] = "add --engine dask, or leave it out"
    option: str
