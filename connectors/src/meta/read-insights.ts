import type { Manifest } from '@carillon/contract'
import { Type } from 'typebox'
import type { Figures } from '../kit/connector.ts'
import type { Http } from '../kit/http.ts'

const Insights = Type.Object({
  data: Type.Array(
    Type.Object({ name: Type.String(), values: Type.Optional(Type.Array(Type.Object({ value: Type.Number() }))) }),
  ),
})

/** Reads the figures that the manifest names. A figure missing from the answer is zero: nothing has happened yet. */
export async function readInsights(http: Http, path: string, metrics: Manifest['metrics']): Promise<Figures> {
  const query = { metric: Object.values(metrics).join(',') }
  const { data } = await http.call({ method: 'GET', path, query, returns: Insights })
  const valueOf = (name: string) => data.find((insight) => insight.name === name)?.values?.[0]?.value ?? 0
  return Object.fromEntries(Object.entries(metrics).map(([metric, name]) => [metric, valueOf(name)]))
}
