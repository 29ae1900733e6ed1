package tokenize

import (
	"regexp"
	"strings"
	"sync"
)

// Characters that occur in mojibake, by their usual role elsewhere.
var mojibakeClasses = strings.NewReplacer(
	"{common}", "\u00A0\u00AD·´–—―…’",
	"{c1}", "\u0080-\u009F",
	"{bad}", "¦¤¨¬¯¸ƒˆˇ˘˛˜†‡‰⌐◊\uFFFDªº",
	"{law}", "¶§",
	"{currency}", "¢£¥₧€",
	"{start_punctuation}", "¡«¿©΄΅‘‚“„•‹\uF8FF",
	"{end_punctuation}", "®»˝”›™",
	"{numeric}", "²³¹±¼½¾×µ÷⁄∂∆∏∑√∞∩∫≈≠≡≤≥№",
	"{kaomoji}", "Ò-ÖÙ-Üò-öø-üŐŌŪŲ°",
	"{upper_accented}", "À-ÑØÜÝĂĀĄĆČĎĐĘĚĒĖĞĢİĪĶĹĽŁĻŃŇŅŒŘŚŞŠŢŤŮŰŸŹŻŽҐ",
	"{lower_accented}", "ßà-ñăąāćčďđęěēėğģįīķĺľłļœŕśşšťüźżžґﬁﬂ",
	"{upper_common}", "ÞΑ-ΩΆΈΉΊΌΎΏΪΫЁ-Я",
	"{lower_common}", "α-ωάέήίΰа-џ",
	"{box}", "│┌┐┘├┤┬┼═-╬▀▄█▌▐░▒▓",
	"{space}", space+"\\x{1C}-\\x{1F}",
	"{word}", `\p{L}\p{N}_`,
)

// badSequences lists sequences that are frequent in mojibake and very rare in intended text.
var badSequences = []string{
	`[{c1}]`,
	`[{bad}{lower_accented}{upper_accented}{box}{start_punctuation}{end_punctuation}{currency}{numeric}{law}][{bad}]`,
	`[a-zA-Z][{lower_common}{upper_common}][{bad}]`,
	`[{bad}][{lower_accented}{upper_accented}{box}{start_punctuation}{end_punctuation}{currency}{numeric}{law}]`,
	`[{lower_accented}{lower_common}{box}{end_punctuation}{currency}{numeric}][{upper_accented}]`,
	`[{box}{end_punctuation}{currency}{numeric}][{lower_accented}]`,
	`[{lower_accented}{box}{end_punctuation}][{currency}]`,
	`[{space}][{upper_accented}][{currency}]`,
	`[{upper_accented}{box}][{numeric}{law}]`,
	`[{lower_accented}{upper_accented}{box}{currency}{end_punctuation}][{start_punctuation}][{numeric}]`,
	`[{lower_accented}{upper_accented}{currency}{numeric}{box}{law}][{end_punctuation}][{start_punctuation}]`,
	`[{currency}{numeric}{box}][{start_punctuation}]`,
	`[a-z][{upper_accented}][{start_punctuation}{currency}]`,
	`[{box}][{kaomoji}]`,
	`[{lower_accented}{upper_accented}{currency}{numeric}{start_punctuation}{end_punctuation}{law}][{box}]`,
	`[{box}][{end_punctuation}]`,
	`[{lower_accented}{upper_accented}][{start_punctuation}{end_punctuation}][{word}]`,
	// The ligature before a non-Latin letter, and a degree sign after a capital.
	`[Œœ][^A-Za-z]`,
	`[{upper_accented}]°`,
	// Two characters of UTF-8 in Windows-1252; Arabic takes four to be sure.
	`[ÂÃÎÐ][€œŠš¢£Ÿž\x{A0}\x{AD}®©°·»{start_punctuation}{end_punctuation}–—´]`,
	`×[²³]`,
	`[ØÙ][{common}{currency}{bad}{numeric}{start_punctuation}ŸŠ®°µ»]` +
		`[ØÙ][{common}{currency}{bad}{numeric}{start_punctuation}ŸŠ®°µ»]`,
	// Scripts of South Asia.
	`à[²µ¹¼½¾]`,
	// UTF-8 decoded as MacRoman.
	`√[±∂†≠®™´≤≥¥µø]`,
	`≈[°¢]`,
	`‚Ä[ìîïòôúùû†°¢π]`,
	`‚[âó][àä°ê]`,
	// UTF-8 decoded as Windows-1251: punctuation, then Latin and Cyrillic letters, then both decoded twice.
	`вЂ`,
	`[ВГРС][{c1}{bad}{start_punctuation}{end_punctuation}{currency}°µ][ВГРС]`,
	`ГўВЂВ.[A-Za-z ]`,
	// à, á and the no-break space.
	`Ã[\x{A0}¡]`,
	`[a-z][{space}]?[ÃÂ] `,
	`^[ÃÂ] `,
	`[a-z.,?!{end_punctuation}]Â[ {start_punctuation}{end_punctuation}]`,
	// In Windows-1253 and Windows-1257.
	`β€[™\x{A0}Ά\x{AD}®°]`,
	`[ΒΓΞΟ][{c1}{bad}{start_punctuation}{end_punctuation}{currency}°][ΒΓΞΟ]`,
	`ā€`,
}

var badness = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(mojibakeClasses.Replace(strings.Join(badSequences, "|")))
})

// looksBad reports whether text looks like mojibake.
func looksBad(text string) bool { return badness().MatchString(text) }
