"""An executor does runs: in this process, in processes of this machine, or on a Dask cluster.

Which runs it may do is decided elsewhere: a lease is the right to do a run.
"""
