import './theme/theme.css'
import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { I18nextProvider } from 'react-i18next'
import { createQueryClient } from './api/create-query-client.ts'
import { isSignedOut } from './errors/describe-error.ts'
import { readLanguage } from './i18n/language.ts'
import { startI18n } from './i18n/start-i18n.ts'
import { createAppRouter } from './routes.tsx'
import { reloadOnceAfterUpdate } from './shell/reload-once-after-update.ts'
import { noteSignedOut } from './shell/signed-out.ts'
import { readOperator } from './theme/operator.ts'
import { followSystemTheme } from './theme/theme.ts'

reloadOnceAfterUpdate()
followSystemTheme()

const i18n = await startI18n(readLanguage(), readOperator().name)
const queryClient = createQueryClient((error) => {
  if (isSignedOut(error)) noteSignedOut()
})
const router = createAppRouter(queryClient, i18n)

const root = document.querySelector('#app')
if (root === null) throw new Error('the page has no element for the app')

createRoot(root).render(
  <StrictMode>
    {/* The policy of the page forbids style elements; Base UI would write some. */}
    <CSPProvider disableStyleElements>
      <I18nextProvider i18n={i18n}>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </I18nextProvider>
    </CSPProvider>
  </StrictMode>,
)
