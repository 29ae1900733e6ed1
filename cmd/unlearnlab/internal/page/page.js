"use strict";
// The switch of the theme, kept for the next time where the browser lets a file keep something.
{
	const choice = document.getElementById("theme");
	const keep = (name) => { try { localStorage.setItem("unlearnlab-theme", name); } catch { /* not here */ } };
	const kept = () => { try { return localStorage.getItem("unlearnlab-theme"); } catch { return null; } };
	const show = (name) => {
		if (name) document.documentElement.dataset.theme = name;
		else delete document.documentElement.dataset.theme;
	};
	choice.value = kept() || "";
	show(choice.value);
	choice.parentElement.hidden = false;
	choice.addEventListener("change", () => { show(choice.value); keep(choice.value); });
}

// Filters of claims, by verdicts and by words.
for (const filter of document.querySelectorAll(".filter")) {
	const rows = [...document.getElementById(filter.dataset.of).tBodies[0].rows];
	const buttons = [...filter.querySelectorAll("button")];
	const words = filter.querySelector("input"), said = filter.querySelector("output");
	const apply = () => {
		const chosen = buttons.filter((b) => b.getAttribute("aria-pressed") === "true").map((b) => b.dataset.verdict);
		const sought = words.value.toLowerCase().split(/\s+/).filter(Boolean);
		let shown = 0;
		for (const row of rows) {
			const text = row.textContent.toLowerCase();
			row.hidden = chosen.length > 0 && !chosen.includes(row.dataset.verdict) || !sought.every((w) => text.includes(w));
			if (!row.hidden) shown++;
		}
		said.textContent = shown === rows.length ? `all ${shown} claims` : `${shown} of ${rows.length} claims`;
	};
	for (const b of buttons) b.addEventListener("click", () => {
		b.setAttribute("aria-pressed", b.getAttribute("aria-pressed") !== "true");
		apply();
	});
	words.addEventListener("input", apply);
	filter.hidden = false;
	apply();
	filter.only = (verdict) => {
		for (const b of buttons) b.setAttribute("aria-pressed", b.dataset.verdict === verdict);
		words.value = "";
		apply();
	};
}
for (const link of document.querySelectorAll("a[data-show]")) link.addEventListener("click", () => {
	document.querySelector(`.filter[data-of="${link.dataset.of}"]`).only(link.dataset.show);
});

// A link into something that is folded, or filtered away, unfolds it.
const reveal = () => {
	const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
	if (!target) return;
	if (target.hidden) document.querySelector(`.filter[data-of="${target.closest("table").id}"]`).only("");
	for (let at = target.parentElement; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
	target.scrollIntoView();
};
addEventListener("hashchange", reveal);
reveal();

// What does not scroll is no stop of the keyboard.
{
	const stops = (box) => {
		const scrolls = box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight;
		if (scrolls) box.tabIndex = 0;
		else box.removeAttribute("tabindex");
	};
	const seen = new ResizeObserver((boxes) => { for (const { target } of boxes) stops(target); });
	for (const box of document.querySelectorAll(".scroll")) seen.observe(box);
}

// On a telephone the contents are folded first.
if (matchMedia("(max-width: 900px)").matches) document.querySelector(".side details").open = false;
