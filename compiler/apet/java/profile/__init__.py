"""What one run says of a program: trip counts, branch probabilities, lengths, and how fast this machine runs it.

In: Java source and a JDK. Out: values for the parameters of the translated model.
Start at `profiling`; `instrument` puts the counters in, `call_times` is what library calls take, `one_run` scales a
machine to a task.
"""
