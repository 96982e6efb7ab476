// Reads the imports of all folders listed in scripts/folder-order.mjs, and compares them with the order there.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { parseSync } from 'vite'
import { folderOrder, rootImports, testRoots } from './folder-order.mjs'

/** Maximum number of source files in a folder, not counting tests. A larger folder is split by meaning. */
const maxFiles = 26
const isSource = (file) => /\.tsx?$/.test(file)
const isInTestRoot = (file) => testRoots.includes(file.split('/')[0])
/** Tests and their support files may import everything. */
const isTest = (file) =>
  /\.(?:test|scale|security|engine)\.tsx?$/.test(file) || /\/testing\//.test(file)

/** Returns each import of a source file. `from` and `to` are paths below `root`. */
export function readImports(root) {
  return Object.keys(folderOrder).flatMap((folder) =>
    listSources(root, folder).flatMap((from) =>
      findImports(join(root, from)).flatMap((specifier) => {
        const to = resolveImport(from, specifier)
        return to === null ? [] : [{ from, to }]
      }),
    ),
  )
}

export function listSources(root, folder) {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file))
    .filter((file) => isSource(file) && (isInTestRoot(file) || !isTest(file)))
    .toSorted()
}

/** Returns messages about upward imports, unlisted folders and folders with too many files. Empty if there are none. */
export function findFaults(imports, sources, order = folderOrder) {
  const ranks = new Map(
    Object.values(order).flatMap((list) => list.map((name, rank) => [name, rank])),
  )
  const unlisted = [...new Set(sources.map((file) => dirname(file)))]
    .filter((folder) => !ranks.has(folder))
    .map((folder) => `${folder} is missing from scripts/folder-order.mjs`)
  const sizes = Map.groupBy(sources, (file) => dirname(file))
  const crowded = [...sizes]
    .filter(
      ([folder, files]) =>
        files.filter((file) => !isTest(file)).length > maxFiles && !isFlat(folder),
    )
    .map(([folder, files]) => `${folder} has ${files.length} files: split it by meaning`)
  const forbidden = imports.flatMap(({ from, to }) => {
    const why = explainForbiddenImport(from, to, ranks)
    return why === null ? [] : [`${from} imports ${to}: ${why}`]
  })
  return [...unlisted, ...crowded, ...forbidden]
}

/** contract/ has one file per resource, so it may have more than the maximum. */
const isFlat = (folder) => folder === 'contract'

function explainForbiddenImport(from, to, ranks) {
  const [root] = from.split('/')
  const [otherRoot] = to.split('/')
  if (isTest(to) && !testRoots.includes(root)) return 'production code must not import test support'
  if (root !== otherRoot) {
    return rootImports[root].includes(otherRoot) ? null : `${root}/ must not import ${otherRoot}/`
  }
  if (!isSource(to) || dirname(from) === dirname(to)) return null
  return ranks.get(dirname(to)) < ranks.get(dirname(from))
    ? null
    : 'a folder imports only folders above it in scripts/folder-order.mjs'
}

/** Returns static, dynamic and type imports, and the files that are started in a thread or process. */
function findImports(file) {
  const { program, errors } = parseSync(file, readFileSync(file, 'utf8'))
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`)
  const found = []
  const visit = (node) => {
    if (Array.isArray(node)) return node.forEach(visit)
    if (typeof node !== 'object' || node === null) return
    const specifier = node.type === 'NewExpression' ? findOwnFile(node) : node.source
    if (typeof specifier?.value === 'string') found.push(specifier.value)
    for (const part of Object.values(node)) visit(part)
  }
  visit(program)
  return found
}

/** Returns the first argument of `new URL(…, import.meta.url)`. */
function findOwnFile({ callee, arguments: [file, base] }) {
  return callee.name === 'URL' && base?.object?.type === 'MetaProperty' ? file : undefined
}

/** Returns the path of the imported file in the project, or null for packages and for files that are not code. */
function resolveImport(from, specifier) {
  const path = specifier.split('?')[0]
  if (!isSource(path)) return null
  if (path.startsWith('#')) return path.slice(1)
  return path.startsWith('.') ? normalize(join(dirname(from), path)) : null
}

/**
 * Draws the folders of `root` below `prefix` as a Mermaid graph. Omits an arrow if its folders are connected through
 * other arrows.
 */
export function drawFolders(imports, prefix) {
  const shown = Object.values(folderOrder)
    .flat()
    .filter((folder) => folder.startsWith(prefix))
  const targets = new Map(shown.map((folder) => [folder, new Set()]))
  for (const { from, to } of imports) {
    const [folder, other] = [dirname(from), dirname(to)]
    if (folder !== other && targets.has(folder) && targets.has(other))
      targets.get(folder).add(other)
  }
  const reaches = (folder, goal) =>
    [...targets.get(folder)].some((next) => next === goal || reaches(next, goal))
  const name = (folder) => folder.slice(prefix.length)
  const id = (folder) => name(folder).replaceAll(/\W/g, '_')
  const nodes = shown.toReversed().map((folder) => `  ${id(folder)}["${name(folder)}"]`)
  const arrows = shown.toReversed().flatMap((folder) =>
    shown
      .filter((other) => targets.get(folder).has(other))
      .filter(
        (other) => ![...targets.get(folder)].some((next) => next !== other && reaches(next, other)),
      )
      .map((other) => `  ${id(folder)} --> ${id(other)}`),
  )
  return ['```mermaid', 'flowchart TD', ...nodes, ...arrows, '```'].join('\n')
}

const pictures = /(<!-- folders below (\S+) -->\n)[^]*?(\n<!-- end of folders -->)/g

/** Returns the text of docs/architecture.md with regenerated graphs. */
export function drawPictures(page, imports) {
  return page.replaceAll(
    pictures,
    (_all, start, prefix, end) => `${start}\n${drawFolders(imports, prefix)}\n${end}`,
  )
}

export function readFolders(root) {
  const sources = Object.keys(folderOrder).flatMap((folder) => listSources(root, folder))
  return { sources, imports: readImports(root) }
}
