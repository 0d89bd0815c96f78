"""All pages of all runs: scored in this process, in others or on Dask workers, and cached."""
