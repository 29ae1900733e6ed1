// Package picturefolder reads pictures that lie as PNG and JPEG files in folders: pictures with captions beside them,
// and pictures sorted by class.
//
//	sample/000/0000017.jpg          a picture
//	sample/000/0000017.txt          its caption
//
//	imagenet/n01440764/x.JPEG       a folder a class
//	imagenet/classes.txt            a line a class: the folder, then its name; ImageNet's thousand need none
//
// Only captions and names are read here; [Read] reads a picture when it is wanted.
package picturefolder
