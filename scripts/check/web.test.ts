import { expect, test } from 'vitest'
import { checkWeb } from './web.ts'

const problems = (path: string, text: string) => checkWeb({ path, text }).map(({ problem }) => problem)

test('guarantee: parts of the interface know no subject and no data', () => {
  expect(problems('web/src/ui/card.tsx', `import { carillon } from '../api/client.ts'\n`)).toHaveLength(1)
  expect(problems('web/src/ui/card.tsx', `import { Logo } from '../theme/logo.tsx'\n`)).toEqual([])
  expect(problems('web/src/api/auth.ts', `import { Card } from '../ui/card.tsx'\n`)).toHaveLength(1)
})

test('guarantee: only routes.tsx imports pages', () => {
  const text = `import { PostsPage } from '../posts/posts.page.tsx'\n`
  expect(problems('web/src/calendar/day-cell.tsx', text)).toHaveLength(1)
  expect(problems('web/src/routes.tsx', `const page = import('./posts/posts.page.tsx')\n`)).toEqual([])
})

test('guarantee: requests, Base UI and time zones each have one place', () => {
  expect(problems('web/src/posts/list.tsx', `const answer = await fetch('/api')\n`)).toHaveLength(1)
  expect(problems('web/src/posts/list.tsx', `void query.refetch()\n`)).toEqual([])
  expect(problems('web/src/posts/list.tsx', `import { Menu } from '@base-ui/react/menu'\n`)).toHaveLength(1)
  expect(problems('web/src/posts/list.tsx', `new Intl.DateTimeFormat('en')\n`)).toHaveLength(1)
  expect(problems('web/src/time/format-time.ts', `new Intl.DateTimeFormat('en')\n`)).toEqual([])
})
