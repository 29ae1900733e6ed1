// Checks the page of "unlearnlab report" in headless Chromium: it must load nothing, axe-core must find no violation
// (light and dark, wide screen and phone), nothing may be wider than the screen, figures must be readable on it, first
// columns must stay in place, and filters, links and the theme switch must work from the keyboard.
//
//	make check-page
//	node scripts/check_page.mjs PAGE [FOLDER]
//
// It installs its packages in .lab/page, and writes screenshots and the printed page to FOLDER.
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const packages = createRequire(path.resolve(".lab/page/index.js"));
const puppeteer = packages("puppeteer-core");
const axe = fs.readFileSync(packages.resolve("axe-core/axe.min.js"), "utf8");

const [page, folder] = process.argv.slice(2);
if (!page) {
	console.error("usage: node scripts/check_page.mjs PAGE [FOLDER]");
	process.exit(2);
}
if (folder) fs.mkdirSync(folder, { recursive: true });
const address = pathToFileURL(path.resolve(page)).href;
const problems = [];
const check = (holds, what) => { if (!holds) { problems.push(what); console.log(`FAILED  ${what}`); } };

const browser = await puppeteer.launch({
	executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox"], protocolTimeout: 600_000,
});

async function open(width, height, theme, beforehand) {
	const tab = await browser.newPage();
	await tab.setBypassCSP(true); // only for axe: requests of the page are counted
	await tab.setViewport({ width, height });
	await tab.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
	tab.on("request", (r) => check(r.url().startsWith("data:") || r.url().split("#")[0] === address, `it loads ${r.url()}`));
	tab.on("pageerror", (e) => check(false, `its script fails: ${e.message}`));
	await tab.goto(address + (beforehand ?? ""), { waitUntil: "load", timeout: 300_000 });
	return tab;
}

const picture = async (tab, name) => { if (folder) await tab.screenshot({ path: path.join(folder, `${name}.png`) }); };

for (const [width, height] of [[1400, 900], [390, 844]]) {
	for (const theme of ["light", "dark"]) {
		const tab = await open(width, height, theme);
		await picture(tab, `first-${width}-${theme}`);
		await tab.evaluate(() => { for (const d of document.querySelectorAll("details")) d.open = true; });
		const wide = await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth);
		check(wide <= 0, `${width} ${theme}: it is ${wide} pixels wider than the screen`);
		check(await tab.$$eval("figure img", (all) => all.filter((i) => i.offsetParent).every((i) =>
			i.getBoundingClientRect().width >= .8 * i.getAttribute("width"))), `${width} ${theme}: a figure is too small to read`);
		const stays = await tab.$$eval(".scroll:has(table)", (all) => all.filter((box) => box.offsetParent).every((box) => {
			box.scrollLeft = box.scrollWidth;
			const first = box.querySelector("tbody th");
			const holds = !first || Math.abs(first.getBoundingClientRect().left - box.getBoundingClientRect().left) < 3;
			box.scrollLeft = 0;
			return holds;
		}));
		check(stays, `${width} ${theme}: the first column of a table scrolls away`);
		await tab.evaluate(axe);
		const began = Date.now();
		const { violations, passes } = await tab.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
		for (const v of violations) {
			check(false, `${width} ${theme}: ${v.id} (${v.impact}): ${v.help}, ${v.nodes.length} times, such as ` +
				`${v.nodes[0].html.slice(0, 160)} ${v.nodes[0].failureSummary.replaceAll("\n", " ")}`);
		}
		console.log(`${width} ${theme}: axe-core: ${passes.length} rules hold, ${violations.length} do not ` +
			`(${((Date.now() - began) / 1000).toFixed(0)} s)`);
		await tab.close();
	}
}

// From the keyboard.
{
	const tab = await open(1400, 900, "light");
	await tab.keyboard.press("Tab");
	check(await tab.evaluate(() => document.activeElement.className === "skip" &&
		document.activeElement.getBoundingClientRect().left >= 0), "the first Tab does not show the skip link");
	const shown = () => tab.$$eval(".filter", (all) => {
		const rows = [...document.getElementById(all[0].dataset.of).tBodies[0].rows];
		return { all: rows.length, shown: rows.filter((r) => r.offsetParent).length, said: all[0].querySelector("output").textContent };
	});
	const fails = await tab.$(".filter button[data-verdict='not seen at this size']");
	const expected = await fails.evaluate((b) => parseInt(b.textContent.match(/\d+/)[0], 10));
	await fails.focus();
	await tab.keyboard.press("Space");
	let now = await shown();
	check(now.shown === expected && now.said.startsWith(`${expected} of `), `the filter shows ${now.shown} of ${expected} claims`);
	await picture(tab, "filtered");
	const word = await tab.$(".filter input");
	await word.type("no claim has these words");
	now = await shown();
	check(now.shown === 0, "words do not filter");
	await (await tab.$(".counts a[data-show=holds]")).evaluate((a) => a.click());
	now = await shown();
	check(now.shown > 0 && now.shown < now.all, "the counts do not filter");

	await tab.select("#theme", "dark");
	const dark = await tab.evaluate(() => ({
		page: getComputedStyle(document.body).backgroundColor,
		light: [...document.querySelectorAll("img.light")].filter((i) => i.offsetParent).length,
		dark: [...document.querySelectorAll("img.dark")].filter((i) => i.offsetParent).length,
	}));
	check(dark.page !== "rgb(255, 255, 255)" && dark.light === 0 && dark.dark > 0, `the theme does not change: ${JSON.stringify(dark)}`);

	const run = await tab.$eval(".keys a", (a) => a.getAttribute("href"));
	await tab.evaluate((hash) => { location.hash = hash; }, run);
	await tab.waitForFunction((id) => document.getElementById(id).offsetParent !== null, { timeout: 30_000 }, run.slice(1));
	await tab.$eval(".card .meta a", (a) => a.click());
	await tab.waitForFunction(() => document.querySelector("details.terms").open, { timeout: 30_000 });
	await tab.close();
}

if (folder) {
	const tab = await open(1400, 900, "dark");
	await tab.pdf({ path: path.join(folder, "printed.pdf"), preferCSSPageSize: true, printBackground: false, timeout: 600_000 });
	for (const section of await tab.$$eval("main section[id]", (all) => all.map((s) => s.id))) {
		if (!/-(claims|table-\w+|figure-\w+|audit|cost)$/.test(section)) continue;
		await tab.evaluate((id) => document.getElementById(id).scrollIntoView(), section);
		await picture(tab, `dark-${section}`);
	}
	await tab.close();
}
await browser.close();
console.log(problems.length ? `${problems.length} problems` : "no problem");
process.exit(problems.length ? 3 : 0);
