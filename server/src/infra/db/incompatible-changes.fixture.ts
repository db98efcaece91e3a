import type { Catalog } from './read-catalog.fixture.ts'

/**
 * `removal`: the code of the release before would fail on what it uses, or could not write a row. `rule`: it might write rows that are
 * refused now; whether it does cannot be seen in the schema.
 */
export type IncompatibleChange = { kind: 'removal' | 'rule'; what: string }

/** What a migration changed that code written for the schema before cannot live with. */
export function findIncompatibleChanges(before: Catalog, after: Catalog): IncompatibleChange[] {
  return [...changedTables(before, after), ...changedColumns(before, after), ...newColumns(before, after)]
    .concat([...before.others].filter((name) => !after.others.has(name)).map((name) => removal(`removes "${name}"`)))
    .concat(newRules(before, after))
}

function changedTables(before: Catalog, after: Catalog): IncompatibleChange[] {
  // A view that has its name and its columns, and takes rows, is the same to the release before.
  const isServedByView = (name: string) => {
    const columns = [...before.columns.values()].filter(({ table }) => table === name)
    return columns.every((column) => after.views.get(name)?.has(column.name))
  }
  return [...before.tables].flatMap(([id, name]) => {
    const now = after.tables.get(id)
    if (now === undefined) return [removal(`drops the table ${name}`)]
    return now === name || isServedByView(name) ? [] : [removal(`renames the table ${name} to ${now}`)]
  })
}

function changedColumns(before: Catalog, after: Catalog): IncompatibleChange[] {
  return [...before.columns].flatMap(([key, column]) => {
    const [tableId = ''] = key.split(' ')
    const name = `${column.table}.${column.name}`
    const now = after.columns.get(key)
    // A dropped table is one change, not one for each column.
    if (!now) return after.tables.has(tableId) ? [removal(`drops the column ${name}`)] : []
    if (now.name !== column.name) return [removal(`renames the column ${name} to ${now.name}`)]
    return [
      ...(now.type === column.type ? [] : [removal(`changes the type of ${name} from ${column.type} to ${now.type}`)]),
      ...(now.isRequired && !column.isRequired ? [removal(`makes ${name} not null`)] : []),
      ...(column.hasValue && !now.hasValue && now.isRequired
        ? [removal(`removes the default of ${name}, which is not null`)]
        : []),
    ]
  })
}

function newColumns(before: Catalog, after: Catalog): IncompatibleChange[] {
  return [...after.columns].flatMap(([key, { table, name, isRequired, hasValue }]) => {
    const [tableId = ''] = key.split(' ')
    const isNew = before.tables.has(tableId) && !before.columns.has(key)
    return isNew && isRequired && !hasValue ? [removal(`adds ${table}.${name}, which is not null and has no default`)] : []
  })
}

/** A rule about new columns alone cannot refuse what the release before writes. */
function newRules(before: Catalog, after: Catalog): IncompatibleChange[] {
  return [...after.rules].flatMap(([name, { table, definition, columns }]) => {
    const isKnown = before.rules.get(name)?.definition === definition
    const isAboutOld = columns.some((number) => before.columns.has(`${table} ${number}`))
    return isKnown || !isAboutOld ? [] : [{ kind: 'rule' as const, what: `adds or changes the rule ${name}: ${definition}` }]
  })
}

function removal(what: string): IncompatibleChange {
  return { kind: 'removal', what }
}
