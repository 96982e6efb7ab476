// Shows the API description and sends requests from it as the signed-in person. The content of an operation is built
// when it is opened, because most are never opened.
const methods = ['get', 'post', 'put', 'patch', 'delete']
const shownBytes = 100_000
const byId = (id) => document.getElementById(id)

/** Creates an element with attributes and children (elements or text). */
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  element.append(...children)
  return element
}

let api = {}

/** Resolves a `$ref` to a shared part of the description. */
function resolve(part) {
  return part?.$ref
    ? resolve(
        part.$ref
          .slice(2)
          .split('/')
          .reduce((at, key) => at[key], api),
      )
    : part
}

/** `/tracks` → `/api/v1/tracks` */
function addressOf(path) {
  return new URL(api.servers[0].url).pathname + path
}

async function start() {
  api = await (await fetch('/api/openapi.json')).json()
  document.title = api.info.title
  byId('title').textContent = api.info.title
  byId('about').textContent = api.info.description.replaceAll('`', '')
  for (const tag of api.tags) showTag(tag)
  byId('status').textContent = ''
  byId('search').addEventListener('input', filter)
  openNamed()
  addEventListener('hashchange', openNamed)
  await showWho()
}

function showTag({ name, description }) {
  const cards = operationsOf(name).map(makeCard)
  const link = make('a', { href: `#tag-${name}` }, name, make('span', {}, String(cards.length)))
  byId('tags').append(make('li', {}, link))
  const head = [make('h2', { id: `tag-${name}` }, name), make('p', {}, description)]
  byId('operations').append(make('section', {}, ...head, ...cards))
}

function operationsOf(tag) {
  return Object.entries(api.paths).flatMap(([path, item]) =>
    methods
      .filter((method) => item[method]?.tags.includes(tag))
      .map((method) => ({ path, method, ...item[method], responses: responsesOf(item[method]) })),
  )
}

function responsesOf({ responses }) {
  return Object.fromEntries(
    Object.entries(responses).map(([status, each]) => [status, resolve(each)]),
  )
}

function makeCard(operation) {
  const { method, path, summary, responses } = operation
  const card = make(
    'details',
    { class: 'operation', id: operation.operationId },
    make(
      'summary',
      {},
      make('span', { class: 'method' }, method.toUpperCase()),
      make('span', { class: 'path' }, addressOf(path)),
      make('span', { class: 'summary' }, summary),
    ),
  )
  const codes = Object.entries(responses).map(([status, { description }]) => status + description)
  card.dataset.words = [operation.operationId, method, path, summary, ...codes]
    .join(' ')
    .toLowerCase()
  card.addEventListener('toggle', () => {
    if (card.open && card.children.length === 1) card.append(makeInside(operation))
  })
  return card
}

function makeInside(operation) {
  const { description, parameters, requestBody, responses } = operation
  const success = (responses[200] ?? responses[201])?.content
  const name = make('code', {}, operation.operationId)
  const parts = [make('p', {}, name, ' · ', description.replaceAll('`', ''))]
  if (parameters.length > 0) parts.push(makeParameters(parameters))
  if (requestBody) parts.push(makeSchema('Body', requestBody.content))
  if (success) parts.push(makeSchema('Answer', success))
  parts.push(makeResponses(responses), makeTryIt(operation))
  return make('div', { class: 'inside' }, ...parts)
}

function makeParameters(parameters) {
  const rows = parameters.map(({ name, in: place, required, schema, description = '' }) =>
    makeRow('td', [
      make('code', {}, name),
      required ? place : `${place}, optional`,
      make('code', {}, describeSchema(schema)),
      description,
    ]),
  )
  const head = makeRow('th', ['Parameter', 'Where', 'What', 'For'])
  return make('div', { class: 'wide' }, make('table', {}, head, ...rows))
}

function makeRow(cell, texts) {
  return make('tr', {}, ...texts.map((text) => make(cell, {}, text)))
}

function describeSchema({ type = 'any', format, enum: choices, ...rest }) {
  const { default: preset, minimum, maximum, maxLength, const: only } = rest
  return [
    choices ? choices.join(' | ') : (only ?? format ?? [type].flat().join(' | ')),
    minimum !== undefined && maximum !== undefined && `${minimum} to ${maximum}`,
    maxLength !== undefined && `at most ${maxLength} characters`,
    preset !== undefined && `default ${preset}`,
  ]
    .filter(Boolean)
    .join(', ')
}

function makeSchema(title, content) {
  const [[type, { schema, example }]] = Object.entries(content)
  const text = type === 'application/json' ? write(schema, '') : type
  const parts = [make('h3', {}, title), make('pre', { tabindex: '0' }, text)]
  if (example !== undefined) {
    const written = JSON.stringify(example, null, 2)
    const shown = make('pre', { tabindex: '0' }, written)
    parts.push(make('details', {}, make('summary', {}, 'Example'), shown))
  }
  return make('div', {}, ...parts)
}

/** Writes a schema in short form: `{ id: uuid, tags: [string], note?: string | null }`. */
function write(given, indent, within = []) {
  const schema = resolve(given)
  // A schema that contains itself is written only once.
  if (given.$ref && within.includes(given.$ref)) return given.$ref.split('/').at(-1)
  const open = given.$ref ? [...within, given.$ref] : within
  const { type, items, properties, required = [], additionalProperties } = schema
  const choices = schema.oneOf ?? schema.anyOf
  if (choices) {
    const isPlain = choices.every((choice) => !resolve(choice).properties)
    const texts = choices.map(
      (choice) => write(choice, indent, open) + (isPlain ? '' : noteOf(resolve(choice))),
    )
    return isPlain ? texts.join(' | ') : texts.join(`\n${indent}or `)
  }
  if (type === 'array') return `[${write(items ?? {}, indent, open)}]`
  if (type !== 'object') return describeSchema(schema)
  if (!properties) return `{ name: ${write(additionalProperties || {}, indent, open)} … }`
  const deeper = `${indent}  `
  const lines = Object.entries(properties).map(
    ([name, value]) =>
      `${deeper}${name}${required.includes(name) ? '' : '?'}: ${write(value, deeper, open)}${noteOf(value)}`,
  )
  return lines.length > 0 ? `{\n${lines.join('\n')}\n${indent}}` : '{}'
}

function noteOf({ description }) {
  return description ? `  // ${description}` : ''
}

function makeResponses(responses) {
  const rows = Object.entries(responses).map(([status, { description }]) => {
    const lines = description.split('\n\n').map((line) => make('p', {}, line.replaceAll('`', '')))
    return make('tr', {}, make('td', {}, make('code', {}, status)), make('td', {}, ...lines))
  })
  const head = makeRow('th', ['Status', 'When'])
  return make('div', { class: 'wide' }, make('table', {}, head, ...rows))
}

function makeTryIt(operation) {
  const { method, path, parameters, requestBody, operationId } = operation
  const answer = make('div', { class: 'answer', role: 'status' })
  const fields = parameters.map((parameter) => {
    const id = `${operationId}-${parameter.in}-${parameter.name}`
    const input = make('input', { id, autocomplete: 'off', spellcheck: 'false' })
    if (parameter.in === 'path') input.required = true
    return {
      parameter,
      input,
      row: make('div', {}, make('label', { for: id }, parameter.name), input),
    }
  })
  const bodyType = Object.keys(requestBody?.content ?? {})[0]
  const body =
    bodyType && makeBodyField(operationId, bodyType, requestBody.content[bodyType].example)
  const button = make('button', { type: 'submit' }, `Send ${method.toUpperCase()}`)
  const inputs = make('div', { class: 'fields' }, ...fields.map(({ row }) => row))
  const rows = [...(fields.length > 0 ? [inputs] : []), ...(body ? [body.row] : []), button]
  const form = make('form', {}, make('h3', {}, 'Try it'), ...rows, answer)
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    button.disabled = true
    const request = buildRequest(path, method, fields, body && { type: bodyType, ...body })
    answer.replaceChildren(...(await send(request)))
    button.disabled = false
  })
  return form
}

function makeBodyField(operationId, type, example) {
  const id = `${operationId}-body`
  if (type !== 'application/json') {
    const input = make('input', { id, type: 'file' })
    const read = () => input.files[0]
    return { read, row: make('div', {}, make('label', { for: id }, 'Body: a file'), input) }
  }
  const input = make('textarea', { id, spellcheck: 'false' })
  input.value = JSON.stringify(example, null, 2)
  return {
    read: () => input.value,
    row: make('div', {}, make('label', { for: id }, 'Body'), input),
  }
}

function buildRequest(path, method, fields, body) {
  const query = new URLSearchParams()
  const headers = body ? { 'content-type': body.type } : {}
  let url = addressOf(path)
  for (const { parameter, input } of fields) {
    const { name, in: place } = parameter
    if (place === 'path') url = url.replace(`{${name}}`, encodeURIComponent(input.value))
    else if (input.value === '') continue
    else if (place === 'query') query.set(name, input.value)
    else headers[name] = input.value
  }
  if (query.size > 0) url += `?${query}`
  return { url, options: { method: method.toUpperCase(), headers, body: body?.read() } }
}

async function send({ url, options }) {
  const startedAt = performance.now()
  try {
    const response = await fetch(url, options)
    const took = `${Math.round(performance.now() - startedAt)} ms`
    const type = response.headers.get('content-type') ?? ''
    const line = `${response.status} ${response.statusText} · ${took} · ${type || 'no body'}`
    const title = make('strong', { class: response.ok ? 'good' : 'bad' }, line)
    return [
      title,
      make('code', {}, `${options.method} ${url}`),
      ...(await showBody(response, type)),
    ]
  } catch (error) {
    return [make('strong', { class: 'bad' }, `No response: ${error.message}`)]
  }
}

async function showBody(response, type) {
  // Not shown: event streams, which never end, and pictures and audio, which are not text.
  if (!/json|text\/(?!event-stream)/.test(type)) {
    await response.body?.cancel()
    return []
  }
  const text = await response.text()
  const pretty = type.includes('json') && text ? JSON.stringify(JSON.parse(text), null, 2) : text
  const cut =
    pretty.length > shownBytes
      ? `${pretty.slice(0, shownBytes)}\n… ${pretty.length} in all`
      : pretty
  return cut ? [make('pre', { tabindex: '0' }, cut)] : []
}

function filter() {
  const words = byId('search').value.toLowerCase().split(/\s+/).filter(Boolean)
  let count = 0
  for (const section of document.querySelectorAll('main section')) {
    const cards = [...section.querySelectorAll('details.operation')]
    for (const card of cards)
      card.hidden = !words.every((word) => card.dataset.words.includes(word))
    const found = cards.filter((card) => !card.hidden).length
    section.hidden = found === 0
    count += found
  }
  byId('status').textContent = words.length > 0 ? `${count} found` : ''
}

/** Opens the operation that the URL fragment names. */
function openNamed() {
  const target = byId(decodeURIComponent(location.hash.slice(1)))
  if (target instanceof HTMLDetailsElement) {
    target.open = true
    target.scrollIntoView()
  }
}

async function showWho() {
  const { data } = await (await fetch('/api/profile')).json()
  const text = data ? ` · signed in as ${data.email} (${data.role})` : ' · not signed in'
  byId('who').textContent = text
}

start().catch((error) => {
  byId('status').textContent = `The description could not be loaded: ${error.message}`
})
