// Package safefile reads and writes data files that may come from anyone.
//
// Every reader bounds what it allocates by what the file holds, never by what its header claims; every error is one
// line that names the file and, where there is one, the row and column or the tensor; every writer leaves either the
// whole file or nothing.
//
//	columns of numbers   ReadNumbers, WriteCSV, WriteParquet      CSV, TSV, Parquet, npy
//	columns of words     ReadWords, WriteCSV, WriteParquet        CSV, TSV, Parquet, npy
//	rows of any columns  OpenParquet, WriteRows                   Parquet
//	parts of a table     OpenTable                                Parquet, wherever it lies
//	one array            ReadNpy, WriteNpy                        npy
//	named arrays         Open, OpenFolder, WriteTensors           safetensors, single or in shards
//	                     OpenNpz, WriteNpz                        npz
//	sound                ReadAudio, WriteWAV                      WAV, FLAC
//	images               ReadImage, DecodeImage, WritePNG         PNG, JPEG
//	lines of text        EachLine
//	anything else        WriteFile, MakeFolder
//
// Pickles (.bin, .pt, .pth, .ckpt, .pkl, arrays of objects) are never read, because reading one runs it; the error says
// how to convert it.
package safefile
