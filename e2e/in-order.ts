import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What waits for the doomed delivery to be given up, five minutes after the start, comes last: the others run meanwhile. */
const lastFile = 'interface/deliveries.test.ts'

export class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLast = ({ moduleId }: TestSpecification) => moduleId.endsWith(lastFile)
    return files.toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)) || (a.moduleId < b.moduleId ? -1 : 1))
  }
}
