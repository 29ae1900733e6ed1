# Makes the fixtures of this folder with pandas, pyarrow and numpy: python gen_files.py
# (versions used: see generator.txt, which it writes)
import sys
import numpy, pandas, pyarrow
import pyarrow.parquet as pq

rows = pandas.DataFrame(
    {
        "ours": [0.1, 0.25, -3.5, 1e300],
        "gold": numpy.array([1, 2, 3, -4], dtype="int64"),
        "half": numpy.array([0.5, 1.5, float("nan"), 2.5], dtype="float32"),
        "right": [True, False, True, True],
        "name": ["a", "b", "c", "d"],
        "maybe": pandas.array([1, None, 3, 4], dtype="Int32"),
    }
)
rows.to_parquet("pandas.parquet", index=False)
rows.drop(columns="name").to_parquet("gzip.parquet", index=False, compression="gzip")
pq.write_table(pyarrow.table({"x": pyarrow.array([[1.0], [2.0, 3.0]]), "y": [1.0, 2.0]}), "lists.parquet")
pq.write_table(pyarrow.table({"x": pyarrow.array([], type=pyarrow.float64())}), "norows.parquet")
many = pyarrow.table({"x": numpy.arange(5000, dtype="float64") / 7, "g": numpy.repeat(numpy.arange(5), 1000)})
pq.write_table(many, "groups.parquet", row_group_size=1300, data_page_size=2000, compression="snappy")
rows.to_csv("pandas.csv", index=False)
numpy.save("vector.npy", numpy.array([1.5, -2.0, 3.25]))
numpy.save("matrix.npy", numpy.arange(6, dtype="float32").reshape(3, 2))
numpy.save("columnmajor.npy", numpy.asfortranarray(numpy.arange(6, dtype="int16").reshape(3, 2)))
numpy.save("bigendian.npy", numpy.array([1.5, -2.0], dtype=">f8"))
numpy.save("words.npy", numpy.array(["a", "b"]))
with open("generator.txt", "w") as f:
    f.write(
        f"gen_files.py with pandas {pandas.__version__}, pyarrow {pyarrow.__version__}, numpy {numpy.__version__}\n"
    )
