import { afterAll, beforeAll, expect, test } from 'vitest'
import { administrator, openTestApp, reviewer, type TestApp } from '../../testing/test-app'

let service: TestApp

beforeAll(async () => {
  service = await openTestApp()
})
afterAll(() => service.close())

async function ask(body: object, user: { username: string; password: string } = { ...administrator, username: 'api' }) {
  const response = await service.post('/graphql', body, user)
  return { status: response.status, body: (await response.json()) as unknown }
}

const viewer = 'query DefaultEntity {\n  viewer {\n    username\n    defaultEntity { name }\n  }\n}'
const project = 'query Project($name: String!, $entityName: String!) { project(name: $name, entityName: $entityName) { name } }'
const upsert =
  'mutation UpsertModel($name: String!, $entity: String!) { upsertModel(input: { name: $name, entityName: $entity }) { model { name } } }'

test('`viewer` returns the user and their default entity', async () => {
  expect(await ask({ query: viewer, variables: {} })).toEqual({
    status: 200,
    body: { data: { viewer: { username: 'admin', defaultEntity: { name: 'admin' } } } },
  })
  expect(await ask({ query: viewer }, reviewer)).toMatchObject({
    body: { data: { viewer: { username: 'Rëviewer', defaultEntity: { name: 'acme' } } } },
  })
})

test('every project that the user may access exists without being created', async () => {
  for (const user of [administrator, reviewer]) {
    expect(await ask({ query: project, variables: { name: 'support', entityName: 'acme' } }, user)).toMatchObject({
      status: 200,
      body: { data: { project: { name: 'support' } } },
    })
  }
  expect(await ask({ query: upsert, variables: { name: 'support', entity: 'acme', description: null } })).toMatchObject({
    body: { data: { upsertModel: { model: { name: 'support' } } } },
  })
})

test('forbidden projects, invalid names and other queries are errors with status 200, which clients do not retry', async () => {
  const secret = { name: 'secret', entityName: 'other', entity: 'other' }
  for (const query of [project, upsert]) {
    expect(await ask({ query, variables: secret }, reviewer)).toMatchObject({
      status: 200,
      body: { data: null, errors: [{ extensions: { code: 'PERMISSION_ERROR' } }] },
    })
  }
  for (const variables of [{}, { name: 'a/b', entityName: 'c' }, { name: 7, entityName: 'c' }, { name: '', entityName: 'c' }]) {
    expect(await ask({ query: project, variables })).toMatchObject({ status: 200, body: { data: null, errors: [{}] } })
  }
  for (const query of ['', 'query { artifacts { id } }', 'nothing']) {
    expect(await ask({ query })).toMatchObject({ status: 200, body: { data: null, errors: [{}] } })
  }
  expect((await ask({ query: 7 })).status).toBe(422)
  expect((await ask({ query: viewer }, { username: 'api', password: 'wrong' })).status).toBe(401)
})
