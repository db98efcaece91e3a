import type { BodyOf, ReturnsOf } from '../endpoint.ts'

/** One request and its response, as the documentation shows them. */
export type Case<Body = unknown, Returns = unknown> = {
  name?: string
  body?: Body
  returns: Returns
  /** Only if it differs from the usual success status of the endpoint. */
  status?: number
}

/** At least one case for every endpoint of a subject. The compiler checks the cases against the schemas. */
export type ExamplesOf<Subject> = {
  [Name in keyof Subject]: readonly [
    Case<BodyOf<Subject[Name]>, ReturnsOf<Subject[Name]>>,
    ...Case<BodyOf<Subject[Name]>, ReturnsOf<Subject[Name]>>[],
  ]
}
