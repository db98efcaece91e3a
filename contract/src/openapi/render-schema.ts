import type { TSchema } from 'typebox'
import { responseSchemas, requestSchemas } from './named-schemas.ts'
import { asObject, isObject, toPlainJson, type JsonObject } from './json.ts'

type Side = 'request' | 'response'

// Schemas are looked up by content, not by identity, because TypeBox copies a schema to make it optional.
const nameBySchema = new Map(
  [...Object.entries(requestSchemas), ...Object.entries(responseSchemas)].flatMap(([name, schema]) =>
    schema ? [[JSON.stringify(schema), name] as const] : [],
  ),
)

/** Renders a schema. Every part that is a named schema becomes a reference. */
export function renderSchema(schema: TSchema, side: Side): JsonObject {
  return asObject(render(toPlainJson(schema), side))
}

/** Renders every named schema in full. */
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
  const name = nameBySchema.get(JSON.stringify(node))
  return name ? { $ref: `#/components/schemas/${name}` } : renderParts(node, side)
}

// The values of these keywords are data, even if they look like a schema.
const dataKeys: ReadonlySet<string> = new Set(['enum', 'required', 'examples', 'default', 'const'])

function renderParts(node: JsonObject, side: Side): JsonObject {
  const out: JsonObject = {}
  for (const [key, value] of Object.entries(node)) {
    const forbidsOtherFields = key === 'additionalProperties' && value === false
    // A response may get new fields at any time, so clients that validate must accept unknown fields.
    if (forbidsOtherFields && side === 'response') continue
    // A sentence of the server's answers; the description says the same.
    if (key === 'x-message') continue
    if (key === 'patternProperties') out['additionalProperties'] = render(Object.values(asObject(value))[0], side)
    else out[key] = dataKeys.has(key) ? value : render(value, side)
  }
  return withTypes(out)
}

/** Client generators need a type beside every enum and anyOf, even where JSON Schema does not require it. */
function withTypes(node: JsonObject): JsonObject {
  const { type, anyOf, ...rest } = node
  if ('enum' in node && type === undefined) return { type: 'string', ...node }
  if (type === undefined || !Array.isArray(anyOf)) return node
  return { ...rest, anyOf: anyOf.map((choice) => ({ type, ...asObject(choice) })) }
}
