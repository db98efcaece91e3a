import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** This file waits for a webhook whose retries end five minutes after the start, so it runs last and the other files run meanwhile. */
const lastFile = 'interface/deliveries.test.ts'

export class LastFileSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLast = ({ moduleId }: TestSpecification) => moduleId.endsWith(lastFile)
    return files.toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)) || (a.moduleId < b.moduleId ? -1 : 1))
  }
}
