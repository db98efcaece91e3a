import type { TSchema } from 'typebox'
import { responseSchemas, requestSchemas } from './named-schemas.ts'
import { asObject, isObject, toPlainJson, type JsonObject } from './json.ts'

type Side = 'request' | 'response'

// By content, not by identity: TypeBox copies a schema when it makes it optional.
const names = new Map(
  [...Object.entries(requestSchemas), ...Object.entries(responseSchemas)].flatMap(([name, schema]) =>
    schema ? [[JSON.stringify(schema), name] as const] : [],
  ),
)

/** A schema for the document: what has a name becomes a reference to it. */
export function renderSchema(schema: TSchema, side: Side): JsonObject {
  return asObject(render(toPlainJson(schema), side))
}

/** Every named schema, written out once. */
export function renderNamedSchemas(): JsonObject {
  const all = [...renderAll(requestSchemas, 'request'), ...renderAll(responseSchemas, 'response')]
  return Object.fromEntries(all.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function renderAll(schemas: typeof requestSchemas, side: Side): [string, JsonObject][] {
  return Object.entries(schemas).flatMap(([name, schema]): [string, JsonObject][] =>
    schema ? [[name, renderParts(asObject(toPlainJson(schema)), side)]] : [],
  )
}

function render(node: unknown, side: Side): unknown {
  if (Array.isArray(node)) return node.map((item) => render(item, side))
  if (!isObject(node)) return node
  const name = names.get(JSON.stringify(node))
  return name ? { $ref: `#/components/schemas/${name}` } : renderParts(node, side)
}

// Their content is data, however much it may look like a schema.
const dataKeys: ReadonlySet<string> = new Set(['enum', 'required', 'examples', 'default', 'const'])

function renderParts(node: JsonObject, side: Side): JsonObject {
  const out: JsonObject = {}
  for (const [key, value] of Object.entries(node)) {
    const isClosing = key === 'additionalProperties' && value === false
    // An answer may gain a field at any time: a client that validates must let it pass.
    if (isClosing && side === 'response') continue
    if (key === 'patternProperties') out['additionalProperties'] = render(Object.values(asObject(value))[0], side)
    else out[key] = dataKeys.has(key) ? value : render(value, side)
  }
  return withTypes(out)
}

/** Generators of clients want a type beside every choice, even where JSON Schema needs none. */
function withTypes(node: JsonObject): JsonObject {
  const { type, anyOf, ...rest } = node
  if ('enum' in node && type === undefined) return { type: 'string', ...node }
  if (type === undefined || !Array.isArray(anyOf)) return node
  return { ...rest, anyOf: anyOf.map((choice) => ({ type, ...asObject(choice) })) }
}
