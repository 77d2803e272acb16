// formats_oracle.js: reads records with the npm packages json-kifu-format and tsshogi, and writes them again with these.
//
//     node formats_oracle.js MODULES FOLDER
//
// For every NAME.kifu, .ki2u, .csa and .jkf in FOLDER it prints a line `NAME.EXT PACKAGE DESCRIPTION` a package, in the words of
// described.h, or `NAME.EXT PACKAGE error: …`. What the packages write of it goes to FOLDER/again/NAME.EXT.PACKAGE.EXT.
"use strict";
const fs = require("fs");
const path = require("path");
const { createRequire } = require("module");

const [modules, folder] = process.argv.slice(2);
const load = createRequire(path.resolve(modules, "from.js"));
const { Parsers, Shogi } = load("json-kifu-format");
const tsshogi = load("tsshogi");

// ---- Describing ----

const LETTERS = { FU: "P", KY: "L", KE: "N", GI: "S", KI: "G", KA: "B", HI: "R", OU: "K",
                  TO: "+P", NY: "+L", NK: "+N", NG: "+S", UM: "+B", RY: "+R" };

function letters(kind, color) {
    return color === 0 ? LETTERS[kind] : LETTERS[kind].toLowerCase();
}

function rankOf(board, y) {
    let text = "";
    for (let x = 9; x >= 1; x--) {
        const piece = board[x - 1][y - 1];
        text += piece && piece.kind ? letters(piece.kind, piece.color) : ".";
    }
    return text.replace(/\.+/g, (empty) => String(empty.length));
}

function handOf(hand, color) {
    return ["HI", "KA", "KI", "GI", "KE", "KY", "FU"]
        .filter((kind) => hand[kind])
        .map((kind) => (hand[kind] > 1 ? hand[kind] : "") + letters(kind, color))
        .join("");
}

function sfenOf(initial) {
    if (!initial || initial.preset !== "OTHER")
        return new Shogi.Shogi(initial || undefined).toSFENString().replace(/ \d+$/, "");
    const { board, hands, color } = initial.data;
    const ranks = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((y) => rankOf(board, y)).join("/");
    return `${ranks} ${color === 0 ? "b" : "w"} ${handOf(hands[0], 0) + handOf(hands[1], 1) || "-"}`;
}

function square(place) {
    return place.x + "abcdefghi"[place.y - 1];
}

function usiOf(move) {
    if (!move.from) return `${LETTERS[move.piece]}*${square(move.to)}`;
    return square(move.from) + square(move.to) + (move.promote ? "+" : "");
}

function commentOf(node, isCSA) {
    const lines = (node.comments || [])
        .map((line) => (isCSA ? line.replace(/^\*/, "") : line))
        .filter((line) => line !== "");
    return lines.length ? ` "${lines.join("\\n")}"` : "";
}

function timeOf(node, timed) {
    if (!timed || !node.time) return "";
    const { h, m, s } = node.time.now;
    return ` T${(((h || 0) * 60 + m) * 60 + s) * 1000}`;
}

function lineOf(nodes, options) {
    return nodes.map((node) => {
        if (node.special) return `%${node.special}` + timeOf(node, options.timed);
        const forks = (node.forks || []).map((fork) => ` (${lineOf(fork, options)})`).join("");
        return usiOf(node.move) + timeOf(node, options.timed) + commentOf(node, options.isCSA) + forks;
    }).join(" ");
}

function describe(jkf, options) {
    const [start, ...nodes] = jkf.moves;
    const line = lineOf(nodes, options);
    return sfenOf(jkf.initial) + commentOf(start, options.isCSA) + (line ? " " + line : "");
}

// ---- The two packages ----

function withJsonKifuFormat(text, ext) {
    const parse = { kifu: Parsers.parseKIF, ki2u: Parsers.parseKI2, csa: Parsers.parseCSA, jkf: JSON.parse }[ext];
    const jkf = parse(text);
    if (jkf.initial && jkf.initial.data)
        jkf.initial.data.hands.forEach((hand) => delete hand.undefined); // what its KI2 parser makes of なし
    return { jkf, written: { jkf: JSON.stringify(jkf) }, timed: ext !== "ki2u" };
}

function withTsshogi(text, ext) {
    const read = { kifu: tsshogi.importKIF, ki2u: tsshogi.importKI2, csa: tsshogi.importCSA, jkf: tsshogi.importJKFString }[ext];
    const record = read(text);
    if (record instanceof Error) throw record;
    const written = {
        kifu: tsshogi.exportKIF(record),
        ki2u: tsshogi.exportKI2(record),
        csa: tsshogi.exportCSA(record),
        jkf: tsshogi.exportJKFString(record),
    };
    return { jkf: tsshogi.exportJKF(record), written, timed: false }; // it has 0 for times that are not stated
}

const PACKAGES = { "json-kifu-format": withJsonKifuFormat, tsshogi: withTsshogi };

for (const name of fs.readdirSync(folder).sort()) {
    const ext = name.split(".").pop();
    if (!["kifu", "ki2u", "csa", "jkf"].includes(ext)) continue;
    const text = fs.readFileSync(path.join(folder, name), "utf8");
    for (const [pkg, read] of Object.entries(PACKAGES)) {
        try {
            const { jkf, written, timed } = read(text, ext);
            console.log(`${name} ${pkg} ${describe(jkf, { timed, isCSA: ext === "csa" })}`);
            for (const [to, output] of Object.entries(written))
                fs.writeFileSync(path.join(folder, "again", `${name}.${pkg}.${to}`), output);
        } catch (error) {
            console.log(`${name} ${pkg} error: ${String(error.message || error).split("\n")[0]}`);
        }
    }
}
