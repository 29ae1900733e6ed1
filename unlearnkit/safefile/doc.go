// Package safefile reads and writes data files from untrusted sources.
//
// Every reader limits its allocations by the file's actual content, never by what its header claims. Every error is one
// line with the file and, if there is one, the row and column or the tensor. Every writer leaves either the whole file
// or nothing.
//
//	columns of numbers   ReadNumbers, WriteCSV, WriteParquet      CSV, TSV, Parquet, npy
//	columns of words     ReadWords, WriteCSV, WriteParquet        CSV, TSV, Parquet, npy
//	rows of any columns  OpenParquet, WriteRows                   Parquet
//	parts of a table     OpenTable                                Parquet, from any source
//	one array            ReadNpy, WriteNpy                        npy
//	named arrays         Open, OpenFolder, WriteTensors           safetensors, single or in shards
//	                     OpenNpz, WriteNpz                        npz
//	sound                ReadAudio, WriteWAV                      WAV, FLAC
//	images               ReadImage, DecodeImage, WritePNG         PNG, JPEG
//	lines of text        EachLine
//	anything else        WriteFile, MakeFolder
//
// Pickles (.bin, .pt, .pth, .ckpt, .pkl, arrays of objects) are never read, because reading one runs it. The error
// explains how to convert it.
package safefile
