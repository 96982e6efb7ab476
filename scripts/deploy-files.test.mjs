// Checks that deployment files use only settings that Velour reads.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { root } from './project-paths.mjs'
import { serverEnvironment } from './server-command.mjs'

const read = (file) => readFileSync(join(root, file), 'utf8')
const knownSettings = new Set(
  [...read('.env.example').matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm)].map((m) => m[1]),
)
// Read by Node instead of Velour.
knownSettings.add('NODE_ENV')

/** Parses a compose file and merges its `<<` keys, with which services include shared `x-` sections. */
const compose = (file) => parse(read(file), { merge: true })

test.each([
  ['compose.yaml', ['velour']],
  ['compose.scale.yaml', ['web', 'worker']],
])('%s sets only settings that Velour reads', (file, services) => {
  const { services: all } = compose(file)
  for (const name of services) {
    const names = Object.keys(all[name].environment)
    expect(names.length).toBeGreaterThan(3)
    expect(names.filter((setting) => !knownSettings.has(setting))).toEqual([])
  }
})

/**
 * Settings that a compose file doesn't pass on: those with a fixed value in the file, and those that don't apply to a
 * container.
 */
const decided =
  /^(HOST|PORT|ROLE|DATA_DIR|DEMO|DATABASE_POOL_SIZE|FFMPEG_PATH|STRIPE_API_URL|LOG_LEVEL|OTEL_.+|VELOUR_COMMIT)$/
const several = /^(DATABASE_.+|S3_.+|CDN_.+|SECRET|SECRET_PREVIOUS)$/

test.each([
  ['compose.yaml', 'velour', (name) => decided.test(name) || several.test(name)],
  ['compose.scale.yaml', 'web', (name) => decided.test(name)],
])('%s passes on every setting that an owner can set', (file, service, isLeftOut) => {
  const { environment } = compose(file).services[service]
  const expected = [...knownSettings].filter((name) => name !== 'NODE_ENV' && !isLeftOut(name))
  expect(expected).toContain('MAIL_FROM')
  expect(expected.filter((name) => !(name in environment))).toEqual([])
})

test('every variable of compose.scale.yaml is in its example settings', () => {
  const expected = [...read('compose.scale.yaml').matchAll(/\$\{([A-Z0-9_]+)/g)].map((m) => m[1])
  const offered = new Set(
    [...read('deploy/scale.env.example').matchAll(/^([A-Z0-9_]+)=/gm)].map((m) => m[1]),
  )
  expect(expected.length).toBeGreaterThan(5)
  expect(expected.filter((name) => !offered.has(name))).toEqual([])
})

test('every volume and file that a compose file mounts exists', () => {
  for (const file of ['compose.yaml', 'compose.scale.yaml']) {
    const { services, volumes } = compose(file)
    for (const { volumes: mounts = [] } of Object.values(services)) {
      for (const mount of mounts) {
        const [source] = mount.split(':')
        if (source.startsWith('./')) expect(read(source)).not.toBe('')
        else expect(volumes).toHaveProperty(source)
      }
    }
  }
})

test('the Kubernetes example sets only settings that Velour reads and refers only to its own resources', () => {
  const documents = parseAllDocuments(read('deploy/kubernetes/velour.yaml')).map((d) => d.toJS())
  const named = (kind) => documents.filter((document) => document.kind === kind)
  const settings = [
    ...named('Secret').flatMap(({ stringData }) => Object.keys(stringData)),
    ...named('ConfigMap').flatMap(({ data }) => Object.keys(data)),
  ]
  for (const { spec } of named('Deployment')) {
    const [container] = spec.template.spec.containers
    settings.push(...container.env.map(({ name }) => name))
    for (const source of container.envFrom) {
      const [kind, name] = source.secretRef
        ? ['Secret', source.secretRef.name]
        : ['ConfigMap', source.configMapRef.name]
      expect(named(kind).map(({ metadata }) => metadata.name)).toContain(name)
    }
    expect(spec.selector.matchLabels).toEqual(spec.template.metadata.labels)
  }
  expect(settings.filter((setting) => !knownSettings.has(setting))).toEqual([])
})

test('the image and the systemd unit use only settings that the server reads', () => {
  const image = read('Dockerfile')
  const started = JSON.parse(/\nCMD (\[.*\])/.exec(image)[1])
  expect(started).toEqual([
    'node',
    ...JSON.parse(read('scripts/node-arguments.json')),
    'server/main.ts',
  ])
  const [, line] = /^ENV (.+)$/m.exec(image)
  const [, unitLine] = /^Environment=(.+)$/m.exec(read('deploy/systemd/velour.service'))
  const pairs = `${line} ${unitLine}`.split(' ')
  const shared = Object.entries(serverEnvironment).map(([name, value]) => `${name}=${value}`)
  expect(line.split(' ')).toEqual(expect.arrayContaining(shared))
  const names = pairs.filter((pair) => !shared.includes(pair)).map((pair) => pair.split('=')[0])
  expect(names.filter((name) => !knownSettings.has(name))).toEqual([])
  expect(image).toContain('USER velour')
  expect(image.indexOf('USER velour')).toBeLessThan(image.indexOf('\nCMD'))
})
