// What package-lock.json has to be: every package pinned to bytes of its own, from a registry and from nowhere else,
// and under a licence that Velour may be given away and sold with.

/** Licences (SPDX) of what an owner runs. Copyleft ones run as processes or shared libraries of their own. */
const licences = new Set(
  'MIT MIT-0 ISC 0BSD BSD-2-Clause BSD-3-Clause BlueOak-1.0.0 Apache-2.0 MPL-2.0 CC0-1.0 LGPL-3.0-or-later GPL-2.0-or-later'.split(
    ' ',
  ),
)
/** Looked at by hand: their package.json names none. */
const withoutName = new Map([['combine-errors', 'MIT by its readme']])
const copyleftProcesses = new Set(['@ffmpeg/core'])

/** Sentences on what is wrong with it; none when all is well. */
export function findLockProblems({ packages }) {
  return Object.entries(packages).flatMap(([path, entry]) =>
    path === '' ? [] : [...originProblems(path, entry), ...licenceProblems(path, entry)],
  )
}

function originProblems(path, { resolved, integrity, link }) {
  const problems = []
  if (link) problems.push(`${path} is a link to a folder.`)
  else if (!/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? '')) {
    problems.push(`${path} has no SHA-512 of its content.`)
  }
  // Left out by .npmrc: a clone asks whichever registry its owner trusts, and the hash decides.
  if (resolved !== undefined) problems.push(`${path} names where it comes from: ${resolved}.`)
  return problems
}

function licenceProblems(path, { license, dev }) {
  if (dev) return []
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  if (license === undefined && withoutName.has(name)) return []
  const parts = String(license ?? 'none')
    .replaceAll(/[()]/g, '')
    .split(/ AND | OR /)
  const isKnown = parts.every((part) => licences.has(part))
  const isLinked = parts.includes('GPL-2.0-or-later') && !copyleftProcesses.has(name)
  return isKnown && !isLinked ? [] : [`${path} is under a licence to be looked at: ${license}.`]
}
