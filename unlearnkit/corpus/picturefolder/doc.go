// Package picturefolder reads folders of PNG and JPEG files: pictures with caption files, and pictures sorted by class.
//
//	sample/000/0000017.jpg          a picture
//	sample/000/0000017.txt          its caption
//
//	imagenet/n01440764/x.JPEG       one folder per class
//	imagenet/classes.txt            one line per class: the folder, then its name; not needed for ImageNet
//
// At first, the package reads only captions and names; [Read] reads a picture on demand.
package picturefolder
