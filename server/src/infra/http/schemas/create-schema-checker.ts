import { Ajv, type ErrorObject, type Options, type SchemaValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import type { TSchema } from 'typebox'

/** Returns the errors of a value; none if it matches the schema. */
export type SchemaCheck = (value: unknown) => readonly ErrorObject[]

/** More parts than a value of the API needs. Of larger ones only the first error is answered: all of them could be millions. */
const partsMax = 5000

/** Checks values against schemas, in linear time. One pass stops at the first error; a second one finds all errors of a value of usual size. */
export function createSchemaChecker(options: Options) {
  const first = openAjv({ ...options, allErrors: false })
  const all = openAjv({ ...options, allErrors: true })
  return {
    addFormat(name: string, matches: (text: string) => boolean): void {
      for (const ajv of [first, all]) ajv.addFormat(name, matches)
    },
    compile(schema: TSchema): SchemaCheck {
      const check = first.compile(schema)
      return (value) => {
        if (check(value)) return []
        const errors = check.errors ?? []
        if (countParts(value, partsMax) >= partsMax) return errors
        // Compiled when it is needed first: Ajv keeps what it compiled.
        const checkAll = all.compile(schema)
        return checkAll(value) ? errors : (checkAll.errors ?? errors)
      }
    },
  }
}

function openAjv(options: Options): Ajv {
  const ajv = new Ajv({ ...options, strict: false })
  formats.default(ajv)
  // The library compares each pair of items.
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword({ keyword: 'uniqueItems', type: 'array', schemaType: 'boolean', validate: checkUnique })
  return ajv
}

/** Items are compared as JSON, as clients send them. */
function checkUnique(isWanted: boolean, items: readonly unknown[]): boolean {
  const seen = new Map<string, number>()
  for (const [index, item] of items.entries()) {
    const text = JSON.stringify(item)
    const earlier = seen.get(text)
    if (isWanted && earlier !== undefined) {
      const message = `must NOT have duplicate items (items ## ${earlier} and ${index} are identical)`
      const error = { keyword: 'uniqueItems', params: { i: earlier, j: index }, message }
      // This is how Ajv receives the error of a keyword.
      ;(checkUnique as SchemaValidateFunction).errors = [error]
      return false
    }
    seen.set(text, index)
  }
  return true
}

/** How many values there are inside a value, up to a limit. */
function countParts(value: unknown, max: number): number {
  if (typeof value !== 'object' || value === null) return 1
  let count = 1
  for (const name in value) {
    if (count >= max) break
    count += countParts(value[name as keyof typeof value], max - count)
  }
  return count
}
