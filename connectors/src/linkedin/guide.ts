import { oneOrganisationText, serviceText, type Guide } from '../kit/guide.ts'

export const guide: Guide = {
  checkedOn: '2026-11-17',
  summary: {
    en: 'Profiles work within minutes and for everybody. Pages need a second app that LinkedIn approves; an app for one cannot serve the other.',
    de: 'Profile gehen in Minuten und für alle. Seiten brauchen eine zweite App, die LinkedIn freigibt; eine App kann nur das eine oder das andere.',
  },
  facts: {
    who: { en: 'Profiles: everybody. Pages: nobody before the approval', de: 'Profile: alle. Seiten: niemand vor der Freigabe' },
    money: { en: 'None', de: 'Keine' },
    wait: {
      en: 'Profiles: none. Pages: LinkedIn names no time; 40 and 79 days were reported',
      de: 'Profile: keine. Seiten: LinkedIn nennt keine Zeit; berichtet wurden 40 und 79 Tage',
    },
    ends: {
      en: 'Profiles: after 60 days, everybody connects again with one click. Pages: after a year, or when the person loses their role on the page.',
      de: 'Profile: nach 60 Tagen verbinden sich alle mit einem Klick neu. Seiten: nach einem Jahr, oder wenn die Person ihre Rolle auf der Seite verliert.',
    },
  },
  app: {
    id: {
      name: 'Client ID',
      mistakes: [
        {
          pattern: /^WPL_AP/,
          words: { en: 'This is the secret. The id is shorter.', de: 'Das ist das Secret. Die ID ist kürzer.' },
        },
      ],
    },
    secret: {
      name: 'Primary Client Secret',
      mistakes: [
        {
          pattern: /^WPL_AP1\.[^=]+$/,
          words: {
            en: 'The secret usually ends with =. Copy it whole.',
            de: 'Das Secret endet meist mit =. Kopiere es ganz.',
          },
        },
      ],
    },
    vetted: {
      label: { en: 'LinkedIn approved this app for pages', de: 'LinkedIn hat diese App für Seiten freigegeben' },
      note: {
        en: 'People then connect the pages they manage instead of their own profile.',
        de: 'Dann werden die Seiten verbunden, die jemand verwaltet, statt des eigenen Profils.',
      },
    },
  },
  steps: [
    {
      title: { en: 'Have a LinkedIn page', de: 'Eine LinkedIn-Seite haben' },
      text: [
        {
          en: 'Every app belongs to a page of an organisation. If you have none, create one; you must be its super admin.',
          de: 'Jede App gehört zu einer Seite einer Organisation. Hast du keine, lege eine an; du musst ihr Super-Admin sein.',
        },
      ],
    },
    {
      title: { en: 'Create the app', de: 'App anlegen' },
      text: [
        {
          en: 'At linkedin.com/developers/apps choose *Create app*: name, page, privacy policy, a square logo of at least 100 pixels. No part of “LinkedIn” may be in the name.',
          de: 'Wähle auf linkedin.com/developers/apps *Create app*: Name, Seite, Datenschutzerklärung, ein quadratisches Logo mit mindestens 100 Pixeln. Kein Teil von „LinkedIn“ darf im Namen stehen.',
        },
        {
          en: 'Then *Settings → Verify → Generate URL*. A super admin of the page opens it within 30 days and agrees; this cannot be undone.',
          de: 'Dann *Settings → Verify → Generate URL*. Ein Super-Admin der Seite öffnet sie binnen 30 Tagen und stimmt zu; das lässt sich nicht zurücknehmen.',
        },
      ],
      values: ['name', 'privacyUrl'],
    },
    {
      title: { en: 'For profiles: add two products', de: 'Für Profile: zwei Produkte hinzufügen' },
      text: [
        {
          en: 'On the tab *Products* request *Sign In with LinkedIn using OpenID Connect* and *Share on LinkedIn*. Both are granted at once. Never click a second product on an app that is meant for pages.',
          de: 'Fordere im Reiter *Products* *Sign In with LinkedIn using OpenID Connect* und *Share on LinkedIn* an. Beide werden sofort gewährt. Klicke in einer App, die für Seiten gedacht ist, nie ein zweites Produkt an.',
        },
      ],
      values: ['scopes'],
    },
    {
      title: { en: 'Enter the redirect URL and copy id and secret', de: 'Redirect-URL eintragen, ID und Secret kopieren' },
      text: [
        {
          en: 'On the tab *Auth*: *Authorized redirect URLs for your app*. Copy *Client ID* and *Primary Client Secret*, with the = at its end.',
          de: 'Im Reiter *Auth*: *Authorized redirect URLs for your app*. Kopiere *Client ID* und *Primary Client Secret*, mit dem = am Ende.',
        },
      ],
      values: ['redirectUrl'],
    },
  ],
  review: {
    intro: {
      en: 'Pages need an app of their own without any other product, a registered legal entity, and a form. A refused app cannot apply again.',
      de: 'Seiten brauchen eine eigene App ohne jedes andere Produkt, eine eingetragene Rechtsperson und ein Formular. Eine abgelehnte App kann sich nicht noch einmal bewerben.',
    },
    steps: [
      {
        title: { en: 'Make a second app', de: 'Eine zweite App anlegen' },
        text: [
          {
            en: 'Create and verify it as above, with the page of the organisation that applies. Website, page, privacy policy and mail address must be on one domain; a private mail address does not pass.',
            de: 'Lege sie wie oben an und bestätige sie, mit der Seite der Organisation, die sich bewirbt. Website, Seite, Datenschutzerklärung und Mailadresse müssen auf einer Domain liegen; eine private Mailadresse genügt nicht.',
          },
        ],
        values: ['redirectUrl', 'privacyUrl', 'website'],
      },
      {
        title: { en: 'Apply for the Community Management API', de: 'Die Community Management API beantragen' },
        text: [
          {
            en: '*Products → Community Management API → Request access*. Legal name and address are looked up in registers. Tick only *Page management*, and *Page analytics* if you use figures. Avoid the words feed, leads, export, combine and scrape.',
            de: '*Products → Community Management API → Request access*. Name und Anschrift werden in Registern nachgeschlagen. Kreuze nur *Page management* an, und *Page analytics*, wenn du Zahlen nutzt. Vermeide die Wörter feed, leads, export, combine und scrape.',
          },
          {
            en: 'The development tier needs no video and allows 500 calls a day, which is enough for one organisation. The standard tier wants a video of each use you ticked and a test login.',
            de: 'Die Entwicklungsstufe braucht kein Video und erlaubt 500 Aufrufe am Tag, genug für eine Organisation. Die Standardstufe will ein Video jeder angekreuzten Nutzung und einen Testzugang.',
          },
        ],
        paste: [serviceText, oneOrganisationText],
      },
      {
        title: { en: 'Enter the approved app', de: 'Die freigegebene App eintragen' },
        text: [
          {
            en: 'Enter it in place of the other one and tick that it is approved for pages. New accounts are then pages; profiles that are connected go on with the app they have. Whoever connects needs to be an administrator or content administrator of the page.',
            de: 'Trage sie anstelle der anderen ein und kreuze an, dass sie für Seiten freigegeben ist. Neue Konten sind dann Seiten; verbundene Profile laufen mit ihrer App weiter. Wer verbindet, muss Administrator oder Content-Administrator der Seite sein.',
          },
        ],
        values: ['vettedScopes'],
      },
    ],
  },
  problems: [
    {
      sign: {
        en: '`The redirect_uri does not match the registered value`',
        de: '`The redirect_uri does not match the registered value`',
      },
      cure: {
        en: 'Compare the address on the tab *Auth* with the one above, letter by letter.',
        de: 'Vergleiche die Adresse im Reiter *Auth* mit der oben, Buchstabe für Buchstabe.',
      },
    },
    {
      sign: {
        en: 'The request for the Community Management API is grey',
        de: 'Der Antrag auf die Community Management API ist grau',
      },
      cure: {
        en: 'The app has or had another product. Make a new app.',
        de: 'Die App hat oder hatte ein anderes Produkt. Lege eine neue an.',
      },
    },
    {
      sign: { en: 'Accounts end after 60 days', de: 'Konten enden nach 60 Tagen' },
      cure: {
        en: 'LinkedIn gives only approved apps a way to renew. Connecting again is one click while the person is signed in there.',
        de: 'LinkedIn lässt nur freigegebene Apps erneuern. Neu verbinden ist ein Klick, solange die Person dort angemeldet ist.',
      },
    },
  ],
  sources: [
    { url: 'https://learn.microsoft.com/en-us/linkedin/shared/authentication/authorization-code-flow', on: '2026-09-19' },
    { url: 'https://learn.microsoft.com/en-us/linkedin/marketing/community-management-app-review', on: '2026-08-27' },
    { url: 'https://www.linkedin.com/help/linkedin/answer/a548360', on: '2026-10-02' },
  ],
}
