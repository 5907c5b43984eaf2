// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/destination_schema.h"

namespace lanes::app {

const char* const kDestinationSchema = R"json({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "urn:rivora-lanes:destinations:1",
  "title": "Destinations of Rivora Lanes",
  "description": "A field that is left out keeps its value; in a new one it has its usual value.",
  "type": "object",
  "required": ["destinations"],
  "additionalProperties": false,
  "properties": {
    "destinations": {"type": "array", "maxItems": 1000, "items": {"$ref": "#/$defs/destination"}}
  },
  "$defs": {
    "duration": {
      "type": "string",
      "pattern": "^[0-9]+(\\.[0-9]+)?(ms|s|m|h|d)$",
      "description": "Such as 250ms, 30s, 20m, 72h or 3d."
    },
    "destination": {
      "type": "object",
      "required": ["name"],
      "additionalProperties": false,
      "properties": {
        "name": {"type": "string", "pattern": "^[A-Za-z0-9._-]{1,64}$"},
        "url": {
          "type": "string",
          "maxLength": 2048,
          "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://",
          "description": "Events are sent there by POST. A new destination needs it."
        },
        "secrets": {
          "type": "array",
          "maxItems": 4,
          "items": {"type": "string", "pattern": "^whsec_[A-Za-z0-9+/]+={0,2}$"},
          "description": "Every one signs, so that a receiver can be moved from one to the next."
        },
        "headers": {
          "type": "object",
          "maxProperties": 32,
          "additionalProperties": {"type": "string", "maxLength": 4096},
          "description": "Sent with each delivery."
        },
        "types": {
          "type": "array",
          "maxItems": 256,
          "items": {"type": "string", "minLength": 1},
          "description": "Events of these types go here; none: all events."
        },
        "window": {
          "$ref": "#/$defs/duration",
          "description": "Retry window in active time, 1m to 30d; usually 72h."
        },
        "connectTimeout": {
          "$ref": "#/$defs/duration",
          "description": "100ms to 120s; usually 10s."
        },
        "attemptTimeout": {
          "$ref": "#/$defs/duration",
          "description": "100ms to 600s; usually 30s."
        },
        "inFlight": {"type": "integer", "minimum": 1, "maximum": 256, "default": 64},
        "afterDeadLetter": {
          "enum": ["goOn", "hold"],
          "default": "goOn",
          "description": "Whether the user's later events wait after a dead letter."
        },
        "deadLetterStatuses": {
          "type": "array",
          "items": {"type": "integer", "minimum": 300, "maximum": 599},
          "description": "Statuses that make a dead letter at once."
        },
        "allowLinkLocal": {"type": "boolean", "default": false},
        "rateLimit": {
          "type": "number",
          "minimum": 0,
          "maximum": 10000,
          "default": 0,
          "description": "Requests a second, from 0.01; 0: no limit of ours."
        },
        "allowEdits": {
          "type": "boolean",
          "default": false,
          "description": "Whether dead letters may be edited before they are rewound."
        },
        "body": {
          "enum": ["asReceived", "cloudEventsBinary", "cloudEventsStructured"],
          "default": "asReceived"
        },
        "authentication": {
          "oneOf": [
            {"type": "null"},
            {
              "type": "object",
              "required": ["scheme", "user"],
              "additionalProperties": false,
              "properties": {
                "scheme": {"const": "basic"},
                "user": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[^:]+$"},
                "password": {"type": "string", "maxLength": 8192}
              }
            },
            {
              "type": "object",
              "required": ["scheme", "token"],
              "additionalProperties": false,
              "properties": {
                "scheme": {"const": "bearer"},
                "token": {"type": "string", "minLength": 1, "maxLength": 8192}
              }
            }
          ]
        },
        "clientCertificate": {
          "oneOf": [
            {"type": "null"},
            {
              "type": "object",
              "required": ["certificate", "key"],
              "additionalProperties": false,
              "properties": {
                "certificate": {"type": "string", "description": "PEM, with its chain after it."},
                "key": {"type": "string", "description": "PEM, without a password."}
              }
            }
          ]
        },
        "pinnedCertificate": {
          "type": "string",
          "pattern": "^([0-9A-Fa-f]{2}[: ]?){32}$|^$",
          "description": "SHA-256 of the destination's certificate, which alone is accepted then."
        },
        "proxy": {
          "oneOf": [
            {"type": "null"},
            {
              "type": "object",
              "required": ["url"],
              "additionalProperties": false,
              "properties": {
                "url": {"type": "string", "pattern": "^(http|socks5)://[^/@]+:[0-9]+/?$"},
                "user": {"type": "string", "maxLength": 255},
                "password": {"type": "string", "maxLength": 255}
              }
            }
          ]
        }
      }
    }
  }
})json";

}  // namespace lanes::app
