import type pg from 'pg'

/** What the code of a release relies on: names of the form `table.column`, `table`, `role may verb table`, and so on. */
export type Catalog = {
  tables: Map<string, string>
  /** The columns of views that rows can be written to, by the name of the view. */
  views: Map<string, Set<string>>
  columns: Map<string, Column>
  /** Grants and functions. */
  others: Set<string>
  /** Rules that rows must keep, by name, each with the numbers of its columns. */
  rules: Map<string, { table: string; definition: string; columns: number[] }>
}

/** A column is known by its table and number, which a rename does not change. */
type Column = { table: string; name: string; type: string; isRequired: boolean; hasValue: boolean }

type ColumnRow = Column & { table_id: string; number: number }
type RuleRow = { name: string; table_id: string; definition: string; columns: number[] }

/** Reads the tables, columns, rules, grants and functions of the schema `public`. */
export async function readCatalog(client: pg.Client): Promise<Catalog> {
  const { rows: tables } = await client.query<{ id: string; name: string }>(`
    select oid::text as id, relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`)
  const { rows: views } = await client.query<{ name: string; columns: string[] }>(`
    select c.relname as name, array_agg(a.attname::text) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'v' and pg_relation_is_updatable(c.oid, false) = 28
    group by c.relname`)
  const { rows: columns } = await client.query<ColumnRow>(`
    select c.oid::text as table_id, c.relname as "table", a.attnum as number, a.attname as name,
      format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as "isRequired",
      a.atthasdef or a.attidentity <> '' as "hasValue"
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped`)
  const { rows: rules } = await client.query<RuleRow>(`
    select conname as name, conrelid::text as table_id, pg_get_constraintdef(oid) as definition, to_json(conkey) as columns
    from pg_constraint where connamespace = 'public'::regnamespace and conrelid <> 0 and contype in ('c', 'f', 'u', 'p', 'x')
    union all
    select i.relname, x.indrelid::text, pg_get_indexdef(x.indexrelid), to_json(x.indkey::int2[])
    from pg_index x join pg_class i on i.oid = x.indexrelid
    where x.indisunique and i.relnamespace = 'public'::regnamespace
      and not exists (select from pg_constraint where conindid = x.indexrelid and contype in ('u', 'p', 'x'))`)
  const { rows: others } = await client.query<{ name: string }>(`
    select format('%s may %s %s', grantee, lower(privilege_type), table_name) as name
    from information_schema.role_table_grants where table_schema = 'public' and grantee like 'carillon%'
    union all
    select format('function %s(%s)', proname, pg_get_function_identity_arguments(oid))
    from pg_proc where pronamespace = 'public'::regnamespace`)
  return {
    tables: new Map(tables.map(({ id, name }) => [id, name])),
    views: new Map(views.map(({ name, columns: names }) => [name, new Set(names)])),
    columns: new Map(columns.map(({ table_id, number, ...column }) => [`${table_id} ${number}`, column])),
    others: new Set(others.map(({ name }) => name)),
    rules: new Map(
      rules.map(({ name, table_id, definition, columns: used }) => [name, { table: table_id, definition, columns: used }]),
    ),
  }
}
