import { sql } from './sql'
import { durable } from './durable'

// What people enter: prices, budgets, queues, views.

/** Costs are in currency units per token; NULL means unknown. */
export const costs = sql`CREATE TABLE IF NOT EXISTS costs (
  project_id LowCardinality(String),
  id String,
  llm_id String,
  provider_id String,
  prompt_token_cost Nullable(Float64),
  completion_token_cost Nullable(Float64),
  prompt_token_cost_unit String,
  completion_token_cost_unit String,
  effective_date DateTime64(6, 'UTC'),
  created_at DateTime64(6, 'UTC'),
  created_by String,
  is_deleted UInt8,
  version UInt64
) ENGINE = ReplacingMergeTree(version) ORDER BY (project_id, llm_id, effective_date, id) SETTINGS ${durable}`

/** Prices of tokens read from a cache and written to one, in currency units per token; NULL means unknown. */
export const addCachePrices = sql`ALTER TABLE costs
  ADD COLUMN IF NOT EXISTS cache_read_input_token_cost Nullable(Float64),
  ADD COLUMN IF NOT EXISTS cache_creation_input_token_cost Nullable(Float64)`

/** What a project may spend in a month: `amount` is decimal text, '' for no budget. */
export const budgets = sql`CREATE TABLE IF NOT EXISTS budgets (
  project_id LowCardinality(String),
  amount String,
  currency String,
  updated_at DateTime64(6, 'UTC'),
  updated_by String,
  version UInt64
) ENGINE = ReplacingMergeTree(version) ORDER BY project_id SETTINGS ${durable}`

export const queues = sql`CREATE TABLE IF NOT EXISTS queues (
  project_id LowCardinality(String),
  id String,
  name String,
  description String,
  scorer_refs Array(String),
  created_at DateTime64(6, 'UTC'),
  created_by String,
  updated_at DateTime64(6, 'UTC'),
  deleted_at Nullable(DateTime64(6, 'UTC')),
  idempotency_key String,
  request_digest String,
  version UInt64
) ENGINE = ReplacingMergeTree(version) ORDER BY (project_id, id) SETTINGS ${durable}`

/** Named views of the dashboard's pages. `version` is `updated_at` in milliseconds. */
export const views = sql`CREATE TABLE IF NOT EXISTS views (
  project_id LowCardinality(String),
  id String,
  page LowCardinality(String),
  name String,
  state String,
  created_by String,
  updated_at DateTime64(6, 'UTC'),
  is_deleted UInt8,
  version UInt64
) ENGINE = ReplacingMergeTree(version) ORDER BY (project_id, id) SETTINGS ${durable}`
