import type { BodyOf, ReturnsOf } from '../endpoint.ts'
import { aiExamples } from './ai.ts'
import { analyticsExamples } from './analytics.ts'
import { contentExamples } from './content.ts'
import { mediaExamples } from './media.ts'
import { platformExamples } from './platforms.ts'
import { webhookExamples } from './webhooks.ts'
import { workspaceExamples } from './workspaces.ts'

/** One request and its answer, as the documentation shows them. */
export type Case<Body = unknown, Returns = unknown> = {
  name?: string
  body?: Body
  returns: Returns
  /** When it is not the endpoint's usual success. */
  status?: number
}

/** At least one case for every endpoint of a subject, checked against its schemas. */
export type ExamplesOf<Subject> = {
  [Name in keyof Subject]: readonly [
    Case<BodyOf<Subject[Name]>, ReturnsOf<Subject[Name]>>,
    ...Case<BodyOf<Subject[Name]>, ReturnsOf<Subject[Name]>>[],
  ]
}

const subjects: Record<string, Record<string, readonly Case[]>> = {
  ai: aiExamples,
  analytics: analyticsExamples,
  content: contentExamples,
  media: mediaExamples,
  platforms: platformExamples,
  webhooks: webhookExamples,
  workspaces: workspaceExamples,
}

/** The cases of an endpoint by its id. What cannot be shown is not documented, so a missing example is an error. */
export function casesOf(id: string): readonly Case[] {
  const [subject = '', name = ''] = id.split('.')
  const cases = subjects[subject]?.[name]
  if (!cases) throw new Error(`${id} has no example: add one in contract/src/examples/${subject}.ts.`)
  return cases
}
