// How an audit row is hashed, in one place, so that the writer and the verifier cannot disagree.
#pragma once

#include "ports/rows.h"

namespace holdfast::store
{

// SHA-256 over the canonical JSON array of previous hash and every field: no two different rows
// have the same bytes. Needs chain, chainSeq and previous; ignores seq and hash.
QString auditHash(const ports::AuditRow &row);

} // namespace holdfast::store
