// Checks package-lock.json: every package is pinned by a hash, comes from a registry, and has a license that allows
// Velour to be distributed and sold with it.
import { packageLists, listPackages } from './wanted-packages.mjs'

/**
 * SPDX licenses allowed in production. Copyleft packages run as separate processes or shared libraries. OFL-1.1 is
 * the license of fonts, Python-2.0 that of argparse.
 */
const licenses = new Set(
  'MIT MIT-0 ISC 0BSD BSD-2-Clause BSD-3-Clause BlueOak-1.0.0 Apache-2.0 MPL-2.0 CC0-1.0 OFL-1.1 Python-2.0 LGPL-3.0-or-later GPL-2.0-or-later'.split(
    ' ',
  ),
)
/** Packages without a license in their package.json, checked by hand. */
const withoutName = new Map([['combine-errors', 'MIT according to its readme']])
/** Packages offered under several licenses. Velour uses them under the MIT license. */
const takenAsMit = new Map([['@zone-eu/mailsplit', '(MIT OR EUPL-1.1+)']])
const copyleftProcesses = new Set(['@ffmpeg/core'])

/** Returns one message per problem, or an empty list. */
export function findLockProblems(lock) {
  const lists = Object.values(packageLists)
  const isOwn = (path, { resolved }) =>
    path === '' || lists.includes(path) || lists.includes(resolved)
  const foreign = Object.entries(lock.packages).filter(([path, entry]) => !isOwn(path, entry))
  const forStart = listPackages(lock, [packageLists.node])
  const shipped = foreign.filter(([path, { dev }]) => forStart.has(path) && !dev)
  return [
    ...foreign.flatMap(([path, entry]) => originProblems(path, entry)),
    ...shipped.flatMap(([path, entry]) => licenseProblems(path, entry)),
  ]
}

function originProblems(path, { resolved, integrity, link }) {
  const problems = []
  if (link) problems.push(`${path} is a link to a folder.`)
  else if (!/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? '')) {
    problems.push(`${path} has no SHA-512 of its content.`)
  }
  // .npmrc omits `resolved`, so that a clone uses the registry that its owner configured. The hash verifies each
  // package.
  if (resolved !== undefined) problems.push(`${path} has a fixed download URL: ${resolved}.`)
  return problems
}

function licenseProblems(path, { license }) {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  if (license === undefined && withoutName.has(name)) return []
  if (license !== undefined && takenAsMit.get(name) === license) return []
  const parts = String(license ?? 'none')
    .replaceAll(/[()]/g, '')
    .split(/ AND | OR /)
  const isKnown = parts.every((part) => licenses.has(part))
  const isLinked = parts.includes('GPL-2.0-or-later') && !copyleftProcesses.has(name)
  return isKnown && !isLinked ? [] : [`${path} has a license that needs a review: ${license}.`]
}
